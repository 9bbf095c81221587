import { isElision } from "./is-elision.ts";

/**
 * The index of the first new line that represents left-out code; `undefined` where all lines are
 * code.
 *
 * A line that is also in `known`, the lines of the file and of the operation, is code, whatever it
 * looks like.
 */
export function elidedRow(
  lines: readonly string[],
  { known, path }: { readonly known: readonly (readonly string[])[]; readonly path: string },
): number | undefined {
  const suspects = lines.flatMap((line, i) => (isElision(line, path) ? [i] : []));
  if (suspects.length === 0) return undefined;
  const wanted = new Set(suspects.map((i) => lines[i]!.trim()));
  for (const line of known.flat()) wanted.delete(line.trim());
  return suspects.find((i) => wanted.has(lines[i]!.trim()));
}
