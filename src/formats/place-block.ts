import { diffSequences } from "../text/index.ts";
import type { BlockAsk } from "./ask.ts";
import { type AskOutcome, placed, refused } from "./ask-outcome.ts";
import { findRun } from "./find-run.ts";
import { nameLines } from "./place-lines.ts";
import type { LineSplice } from "./placement.ts";
import type { WorkingText } from "./working-text.ts";

/** Puts lines in the place of lines that read as the ask says. */
export function placeBlock(ask: BlockAsk, text: WorkingText): AskOutcome {
  const { search, replace } = ask;
  const count = text.lines.length;
  if (search.length === 0) {
    const splice = text.replaceLines({ start: count, end: count, lines: replace });
    return placed(splice === undefined ? [] : [splice]);
  }
  const starts = findRun(
    search,
    text.lines.map((line) => line.text),
  );
  if (starts.length === 0) return refused("not-found", "The lines to replace are not in the file.");
  if (starts.length > 1) {
    const places = starts.map((start) => start + 1).join(", ");
    return refused("ambiguous", `The lines to replace are there ${starts.length} times, at lines ${places}.`);
  }
  const start = starts[0]!;
  const changes = diffSequences(search, replace);
  if (changes.length === 0)
    return refused("no-change", `${nameLines(start, start + search.length)} would stay as they are.`);
  const splices: LineSplice[] = [];
  for (const change of changes.toReversed()) {
    const lines = replace.slice(change.afterStart, change.afterEnd);
    const splice = text.replaceLines({ start: start + change.beforeStart, end: start + change.beforeEnd, lines });
    if (splice !== undefined) splices.unshift(splice);
  }
  return placed(splices);
}
