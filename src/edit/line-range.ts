import type { Edit, TextRange } from "../text/index.ts";

/**
 * A half-open range of line indexes from 0; where `start` equals `end`, the place before line
 * `start`.
 */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a function that maps a range of offsets in `text` to the lines it touches, as `fileLines`
 * counts them, from 0. An empty range gives an empty one: the place before its line.
 */
export function lineFinder(text: string): (range: TextRange) => LineRange {
  const ending = text.includes("\n") ? "\n" : "\r";
  const ends: number[] = [];
  for (let at = text.indexOf(ending); at >= 0; at = text.indexOf(ending, at + 1)) ends.push(at);
  const lineAt = (offset: number) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return ({ start, end }) => {
    const first = lineAt(start);
    return { start: first, end: end > start ? lineAt(end - 1) + 1 : first };
  };
}

/**
 * The ranges that an edit inserted or deleted at, in lines of `after`, the text after it, from 0
 * and half-open. A deletion may give an empty range.
 */
export function editedLines(after: string, edit: Edit): readonly LineRange[] {
  return edit.rangesAfter().map(lineFinder(after));
}
