/** The title of a plan: the first line of its instruction, or a general title without one. */
export function titleOf({ instruction }: { readonly instruction?: string }): string {
  return instruction === undefined ? "Consequences of a change" : instruction.trim().split("\n", 1)[0]!;
}
