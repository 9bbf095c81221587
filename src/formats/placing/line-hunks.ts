import { diffSequences, type SequenceChange } from "../../text/index.ts";
import type { LineSplice } from "./placement.ts";

/** The smallest set of changed lines that turns `before` into `after`. */
export function lineHunks(before: readonly string[], after: readonly string[]): readonly LineSplice[] {
  return diffSequences(before, after).map((change) => toHunk(change, after));
}

/**
 * Joins hunks where repeating the lines between them is shorter than beginning a new hunk.
 *
 * `costOf` returns the characters that a hunk takes besides its lines. `hunks` are in order, for
 * the lines `before`.
 */
export function joinHunks(
  hunks: readonly LineSplice[],
  before: readonly string[],
  costOf: (hunk: LineSplice) => number,
): readonly LineSplice[] {
  const joined: LineSplice[] = [];
  for (const hunk of hunks) {
    const last = joined.at(-1);
    const between = last === undefined ? [] : before.slice(last.end, hunk.start);
    const length = between.reduce((sum, line) => sum + line.trim().length + 2, 0);
    if (last === undefined || length > costOf(hunk)) {
      joined.push(hunk);
    } else {
      const lines = [...last.lines, ...between, ...hunk.lines];
      joined[joined.length - 1] = { start: last.start, end: hunk.end, lines };
    }
  }
  return joined;
}

function toHunk(
  { beforeStart, beforeEnd, afterStart, afterEnd }: SequenceChange,
  after: readonly string[],
): LineSplice {
  return { start: beforeStart, end: beforeEnd, lines: after.slice(afterStart, afterEnd) };
}
