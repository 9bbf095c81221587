import type { TextRange } from "../../text/range.ts";

/**
 * The start of the comments on the lines directly above `start`, or `start` if there are none.
 *
 * A comment counts if no empty line and no code is between it and `start`, and no code comes before
 * it on its line. `comments` must be in ascending order.
 */
export function leadingCommentsStart(text: string, comments: readonly TextRange[], start: number): number {
  let first = start;
  for (let index = lastEndingBy(comments, start); index >= 0; index--) {
    const comment = comments[index]!;
    const gap = text.slice(comment.end, first);
    if (!/^[^\S\n]*(?:\n[^\S\n]*)?$/.test(gap)) break;
    const lineStart = text.lastIndexOf("\n", comment.start - 1) + 1;
    if (text.slice(lineStart, comment.start).trim() !== "") break;
    first = comment.start;
  }
  return first;
}

function lastEndingBy(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
