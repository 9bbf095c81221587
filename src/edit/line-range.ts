import type { Edit, TextRange } from "../text/index.ts";

/** Lines of a text from `start` up to `end`, from 0; no line, in front of `start`, where both are the same. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Tells which lines of `text` a range touches, counted as `fileLines` counts them. */
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

/** Where the edit put or took text, in lines of the text after it. */
export function editedLines(after: string, edit: Edit): readonly LineRange[] {
  return edit.rangesAfter().map(lineFinder(after));
}
