import type { TextEdit } from "../../../text/index.ts";

/**
 * Groups the edits of a text, sorted by offset, into runs on consecutive lines, at most {@link
 * maxLines} lines each: what a diff without context shows as one hunk.
 *
 * Only the text between the edits is read, so that the length of the text does not matter.
 */
export function lineRuns<E extends TextEdit>(text: string, edits: readonly E[]): E[][] {
  const runs: E[][] = [];
  let [lastEnd, lines] = [0, 1];
  for (const edit of edits) {
    const run = runs.at(-1);
    const breaks = breaksBetween(text, lastEnd, edit.start);
    if (run !== undefined && breaks < 2 && lines + breaks <= maxLines) {
      run.push(edit);
      lines += breaks;
    } else {
      runs.push([edit]);
      lines = 1;
    }
    lastEnd = edit.end;
  }
  return runs;
}

/** The most lines of a run. */
export const maxLines = 20;

/** The number of line endings in a range, at most two. */
function breaksBetween(text: string, start: number, end: number): number {
  const first = text.indexOf("\n", start);
  if (first < 0 || first >= end) return 0;
  const second = text.indexOf("\n", first + 1);
  return second < 0 || second >= end ? 1 : 2;
}
