import { diffSequences, type Edit, minimalEdit, type SequenceChange } from "../text/index.ts";
import { fileLines } from "./file-lines.ts";

/** Where the lines of an older text are in a newer one. Line numbers count from 0. */
export interface DriftMap {
  /** The number that a line has now, or `undefined` where it has been changed or has gone. */
  lineNow(line: number): number | undefined;
  /**
   * Where the lines from `start` up to `end` are now, or `undefined` where one of them, or what is between them, has been
   * changed. For no lines, the place between two that are still neighbours; at an end of the text, that end.
   */
  rangeNow(start: number, end: number): { readonly start: number; readonly end: number } | undefined;
  /**
   * An edit of the older text as one of the newer text, or `undefined` where it meets a line that has changed.
   *
   * Law: it and the change, in either order, give the same text.
   */
  editNow(edit: Edit): Edit | undefined;
}

/**
 * Maps what a model says about the text that it was shown, `before`, to the text as it is now, `after`.
 *
 * Lines that were not changed are found again by their differences; nothing is guessed about the others.
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
      // What stands between the two lines now would be on one side of the place or on the other: nobody can tell.
      const [above, below] = [start === 0 ? -1 : lineNow(start - 1), start === count ? countNow : lineNow(start)];
      const isWhole = above !== undefined && below !== undefined && below === above + 1;
      return isWhole ? { start: below, end: below } : undefined;
    }
    const [first, last] = [lineNow(start), lineNow(end - 1)];
    if (first === undefined || last === undefined || last - first !== end - 1 - start) return undefined;
    // As many lines as there were, but some of them others.
    const isWhole = changes.every(({ beforeStart, beforeEnd }) => beforeEnd <= start || beforeStart >= end);
    return isWhole ? { start: first, end: last + 1 } : undefined;
  }

  // Whole lines, so that an edit of a part of a line that has changed elsewhere is seen to meet the change.
  const drift = minimalEdit(before, after, { unit: "line" });
  return { lineNow, rangeNow, editNow: (edit) => edit.tryRebase(drift) };
}

/** The last change that begins at a line or in front of it, if any does. */
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
