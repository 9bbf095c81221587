import type { TextEdit } from "../../text/index.ts";

/**
 * Edits of a text, in its order, as runs on lines that follow one another, at most {@link maxLines} of them: what a diff without context shows as one hunk, and a person
 * can look over.
 *
 * Only the stretches between the edits are looked at, so that a long text costs no more.
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

/** How many lines end in a stretch of a text; two at the most. */
function breaksBetween(text: string, start: number, end: number): number {
  const first = text.indexOf("\n", start);
  if (first < 0 || first >= end) return 0;
  const second = text.indexOf("\n", first + 1);
  return second < 0 || second >= end ? 1 : 2;
}
