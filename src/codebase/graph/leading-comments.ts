import type { TextRange } from "../../text/range.ts";

/**
 * Where the comments on the lines right above `start` begin, or `start` itself.
 *
 * They belong to what is there if no empty line and no code comes between, and no code is before
 * them on their line. `comments` are ascending.
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

/** The index of the last range that ends at or before `offset`, or -1. */
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
