import type { Edit } from "../../text/index.ts";
import { maxOver, widths } from "../line-layout.ts";

/** The width that the lines of a text keep to, in UTF-16 units; infinite where they keep to none. */
export function lineWidthOf(text: string): number {
  const over = widths.map(() => 0);
  let lines = 0;
  for (let start = 0; start <= text.length; lines++) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    for (const [i, width] of widths.entries()) if (end - start > width) over[i]!++;
    start = end + 1;
  }
  return widths.find((_, i) => over[i]! <= lines * maxOver) ?? Number.POSITIVE_INFINITY;
}

/** Whether an edit makes a line longer than the text's others, so that whoever formats the text breaks that line. */
export function outgrowsLine(text: string, edit: Edit): boolean {
  let width: number | undefined;
  let grown = 0;
  let lineStart = -1;
  for (const { start, end, text: fresh } of edit.edits) {
    const from = text.lastIndexOf("\n", start - 1) + 1;
    if (from !== lineStart) grown = 0;
    lineStart = from;
    grown += fresh.length - (end - start);
    const feed = text.indexOf("\n", end);
    const length = (feed < 0 ? text.length : feed) - from;
    if (length + grown <= widths[0]) continue;
    width ??= lineWidthOf(text);
    if (length <= width && length + grown > width) return true;
  }
  return false;
}
