/** What a plan is called: by its instruction, or by what all others do. */
export function titleOf({ instruction }: { readonly instruction?: string }): string {
  return instruction === undefined ? "What follows from a change" : instruction.trim().split("\n", 1)[0]!;
}
