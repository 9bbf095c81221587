import { expect, test } from "vitest";
import { lineRuns, maxLines } from "./renamed-uses.ts";

/** Returns the runs of the edits at each `x` of a text. */
function runs(text: string): readonly string[] {
  const edits = Array.from(text.matchAll(/x/g), ({ index }) => ({ start: index, end: index + 1, text: "y" }));
  return lineRuns(text, edits).map((run) => text.slice(run[0]!.start, run.at(-1)!.end).replaceAll("\n", "/"));
}

test.each<[what: string, text: string, runs: readonly string[]]>([
  ["edits on one line are a run", "x x\n", ["x x"]],
  ["edits on consecutive lines are a run", "x\na x\n", ["x/a x"]],
  ["a line between two edits separates runs", "x\na\nx\n", ["x", "x"]],
  ["no edits have no runs", "a\n", []],
])("line runs: %s", (_, text, expected) => {
  expect(runs(text)).toEqual(expected);
});

test("a run has at most `maxLines` lines, also with several edits on a line", () => {
  const lines = "x x\n".repeat(maxLines);
  expect(runs(lines + lines).map((run) => run.split("/").length)).toEqual([maxLines, maxLines]);
});
