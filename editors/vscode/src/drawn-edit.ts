import { minimalEdit } from "../../../src/text/index.ts";
import type { Replacement } from "./as-ghost-text.ts";

/**
 * A part of an edit as decorations show it: removed text is struck through, inserted text follows
 * it. Offsets are in the text before the edit.
 */
export interface DrawnPart {
  readonly start: number;
  readonly end: number;
  /** One line of the inserted text; empty for a deletion. */
  readonly shown: string;
  /** The number of inserted lines that are not shown. */
  readonly hiddenLines: number;
}

/**
 * Splits an edit into parts for decorations, which cannot add lines: word by word within a line,
 * and of several inserted lines only the first one that is not blank.
 */
export function drawnParts(
  text: string,
  edits: readonly Replacement[],
  offsetAt: (place: Replacement["range"]["start"]) => number,
): readonly DrawnPart[] {
  return edits.flatMap(({ range, newText }) => {
    const start = offsetAt(range.start);
    const before = text.slice(start, offsetAt(range.end));
    return minimalEdit(before, newText).edits.map((part) => {
      const lines = part.text.split(/\r?\n/).filter((line) => line.trim() !== "");
      const [first = "", ...others] = lines;
      const shown = lines.length > 1 ? first.trimEnd() : part.text.replace(/\r?\n/g, "");
      return { start: start + part.start, end: start + part.end, shown, hiddenLines: others.length };
    });
  });
}
