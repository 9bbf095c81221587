import { tryReadFence } from "../../formats/index.ts";

/**
 * The first mark in a row that ends the lines. Behind text it is one only where nothing but other marks or a fence follows in its row: it may be
 * text too.
 */
export function closeIn(
  row: string,
  marks: readonly string[],
): { readonly at: number; readonly mark: string } | undefined {
  const found = marks
    .map((mark) => ({ at: row.indexOf(mark), mark }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at);
  const [first] = found;
  if (first === undefined || row.slice(0, first.at).trim() === "") return first;
  const others = marks.filter((mark) => mark !== first.mark);
  const behind = others
    .reduce((rest, mark) => rest.replaceAll(mark, ""), row.slice(first.at + first.mark.length))
    .trim();
  return behind === "" || tryReadFence(behind) !== undefined ? first : undefined;
}
