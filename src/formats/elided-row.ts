import { isElision } from "./is-elision.ts";

/**
 * The index of the first of some new lines that stands for code which was left out; `undefined` where all is code.
 *
 * A line that `known`, the lines of the file and of the ask, has too is code, whatever it looks like.
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
