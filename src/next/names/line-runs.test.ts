import { expect, test } from "vitest";
import { lineRuns, maxLines } from "./line-runs.ts";

/** The runs of the edits that stand at each `x` of a text. */
function runs(text: string): readonly string[] {
  const edits = Array.from(text.matchAll(/x/g), ({ index }) => ({ start: index, end: index + 1, text: "y" }));
  return lineRuns(text, edits).map((run) => text.slice(run[0]!.start, run.at(-1)!.end).replaceAll("\n", "/"));
}

test.each<[what: string, text: string, runs: readonly string[]]>([
  ["of one line", "x x\n", ["x x"]],
  ["of lines that follow one another", "x\na x\n", ["x/a x"]],
  ["but for a line between them", "x\na\nx\n", ["x", "x"]],
  ["of no edits", "a\n", []],
])("runs %s", (_, text, expected) => {
  expect(runs(text)).toEqual(expected);
});

test("a run is no longer than a person looks over, also where several stand on a line", () => {
  const lines = "x x\n".repeat(maxLines);
  expect(runs(lines + lines).map((run) => run.split("/").length)).toEqual([maxLines, maxLines]);
});
