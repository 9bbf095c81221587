import { expect, test } from "vitest";
import type { EditOperation, ResolvedOperation } from "../formats/index.ts";
import { keepOperations } from "./edit-checker.ts";

/** An operation such as `f:2-3 x`: lines [2, 3) of the file f become x. */
function placed(text: string, row: number): ResolvedOperation {
  const [, path, start, end, line] = /^(\w):(\d+)-(\d+) ?(.*)$/.exec(text)!;
  const splice = { start: Number(start), end: Number(end), lines: line === "" ? [] : [line!] };
  const ask: EditOperation = { kind: "lines", row, path: path!, ...splice, anchors: [] };
  return { operation: ask, path: path!, splices: [splice] };
}

const cases: readonly (readonly [what: string, earlier: string, later: string, kept: string])[] = [
  ["another place", "f:1-2 a", "f:3-4 b", "f:1-2 a"],
  ["another file", "f:1-2 a", "g:1-2 b", "f:1-2 a"],
  ["the same lines otherwise", "f:1-2 a", "f:1-2 b", ""],
  ["the same once more", "f:1-2 a", "f:1-2 a", ""],
  ["more lines", "f:1-2 a", "f:0-3 b", ""],
  ["a part of the lines", "f:1-4 a", "f:1-2 b", "f:1-4 a"],
  ["an insertion once more", "f:1-1 a", "f:1-1 a", ""],
  ["another insertion at the same line", "f:1-1 a", "f:1-1 b", "f:1-1 a"],
  ["lines around an insertion", "f:1-1 a", "f:0-2 b", ""],
  ["lines beside an insertion", "f:1-1 a", "f:1-2 b", "f:1-1 a"],
];

for (const [what, earlier, later, kept] of cases) {
  test(`an earlier edit beside ${what}`, () => {
    const asks = keepOperations([placed(earlier, 0)], [placed(later, 5)]);
    expect(asks).toEqual(kept === "" ? [] : [placed(kept, 0).operation]);
  });
}

test("a file that is created twice gets its last text", () => {
  const create = (line: string, row: number): ResolvedOperation => ({
    operation: { kind: "create", row, path: "f", lines: [line] },
    path: "f",
    splices: [],
  });
  expect(keepOperations([create("a", 0)], [create("b", 2)])).toEqual([]);
});
