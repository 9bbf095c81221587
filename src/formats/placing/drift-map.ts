import { diffSequences, type Edit, minimalEdit, type SequenceChange } from "../../text/index.ts";
import { fileLines } from "./line-table.ts";

/** Maps lines of an older text to a newer one. Line numbers count from 0. */
export interface DriftMap {
  /** The current number of a line; `undefined` where it was changed or removed. */
  lineNow(line: number): number | undefined;
  /**
   * The current range of the lines from `start` up to `end`; `undefined` where one of them, or the
   * text between them, was changed. An empty range maps to the place between two lines that are
   * still adjacent, or to the same end of the text.
   */
  rangeNow(start: number, end: number): { readonly start: number; readonly end: number } | undefined;
  /**
   * Rebases an edit of the older text onto the newer one; `undefined` where it touches a changed
   * line.
   *
   * Law: the edit and the change, in either order, give the same text.
   */
  editNow(edit: Edit): Edit | undefined;
}

/**
 * Maps lines of the text `before`, which a model was shown, to the current text `after`.
 *
 * Unchanged lines are found by a diff; nothing is guessed about the others.
 */
export function driftMap(before: string, after: string): DriftMap {
  const count = fileLines(before).length;
  const countNow = fileLines(after).length;
  const changes = diffSequences(fileLines(before), fileLines(after));

  function lineNow(line: number): number | undefined {
    if (!Number.isSafeInteger(line) || line < 0 || line >= count) return undefined;
    const change = lastBefore(changes, line);
    if (change === undefined) return line;
    return line < change.beforeEnd ? undefined : line + change.afterEnd - change.beforeEnd;
  }

  function rangeNow(start: number, end: number): { readonly start: number; readonly end: number } | undefined {
    if (start > end) return undefined;
    if (start === end) {
      // Text inserted between the two lines would be on an unknown side of the place.
      const [above, below] = [start === 0 ? -1 : lineNow(start - 1), start === count ? countNow : lineNow(start)];
      const isWhole = above !== undefined && below !== undefined && below === above + 1;
      return isWhole ? { start: below, end: below } : undefined;
    }
    const [first, last] = [lineNow(start), lineNow(end - 1)];
    if (first === undefined || last === undefined || last - first !== end - 1 - start) return undefined;
    // The number of lines is the same, but some of them may have changed.
    const isWhole = changes.every(({ beforeStart, beforeEnd }) => beforeEnd <= start || beforeStart >= end);
    return isWhole ? { start: first, end: last + 1 } : undefined;
  }

  // Diff by whole lines, so that an edit of a part of a changed line counts as a conflict.
  const drift = minimalEdit(before, after, { unit: "line" });
  return { lineNow, rangeNow, editNow: (edit) => edit.tryRebase(drift) };
}

/** The last change that begins at or before a line; `undefined` if there is none. */
function lastBefore(changes: readonly SequenceChange[], line: number): SequenceChange | undefined {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (changes[middle]!.beforeStart <= line) low = middle + 1;
    else high = middle;
  }
  return changes[low - 1];
}
