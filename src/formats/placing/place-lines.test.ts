import { describe, expect, test } from "vitest";
import type { EditOperation } from "../edit-operation.ts";
import { lines, shown } from "./place-cases.laws.ts";
import { resolveOperations } from "./resolve-operations.ts";

// Lines are separated by `|`; line numbers count from 0. See `shown` for the notation of results.

const cases: Readonly<
  Record<string, readonly (readonly [before: string, asks: readonly EditOperation[], after: string])[]>
> = {
  "by numbers alone": [
    ["a|b|c|", [lines(1, 2, "X")], "a|X|c|"],
    ["a|b|c|", [lines(1, 2, "")], "a|c|"],
    ["a|b|c|", [lines(1, 1, "X|Y")], "a|X|Y|b|c|"],
    ["a|b|c|", [lines(3, 3, "X")], "a|b|c|X|"],
    ["a|b|c", [lines(3, 3, "X")], "a|b|c|X"],
    ["a|b|c", [lines(3, 3, "X", [], { finalNewline: true })], "a|b|c|X|"],
    ["a|b|c|", [lines(2, 3, "c", [], { finalNewline: false })], "a|b|c"],
    ["a|b|c|", [lines(0, 3, "")], ""],
    ["", [lines(0, 0, "X")], "X|"],
    ["a|b|c|", [lines(2, 3, "Z"), lines(0, 1, "X|Y")], "X|Y|b|Z|"],
    ["a|b|", [lines(1, 1, "1"), lines(1, 1, "2"), lines(1, 2, "3")], "a|1|2|3|"],
  ],
  "that are not there": [
    ["a|b|", [lines(2, 3, "X")], "a|b| !no-such-line"],
    ["a|b|", [lines(3, 3, "X")], "a|b| !no-such-line"],
    ["a|b|", [lines(1, 0, "X")], "a|b| !no-such-line"],
    ["a|b|", [lines(-1, 0, "X")], "a|b| !no-such-line"],
    ["a|b|", [lines(0.5, 1, "X")], "a|b| !no-such-line"],
    ["a|b|", [lines(Number.NaN, 1, "X")], "a|b| !no-such-line"],
    ["", [lines(0, 1, "X")], " !no-such-line"],
  ],
  "of which one changes nothing, or what another has": [
    ["a|b|", [lines(0, 1, "a")], "a|b| !no-change"],
    ["a|b|", [lines(1, 1, "")], "a|b| !no-change"],
    ["a|b|c|", [lines(0, 2, "X"), lines(1, 3, "Y")], "X|c| !overlap"],
    ["a|b|c|", [lines(0, 3, "X"), lines(1, 1, "Y")], "X| !overlap"],
    ["a|b|c|", [lines(1, 1, "X"), lines(0, 3, "Y")], "a|X|b|c| !overlap"],
  ],
  "with anchors": [
    ["aa|bb|cc|", [lines(1, 2, "X", ["1:bb"])], "aa|X|cc|"],
    ["aa|  if  (bb) {|cc|", [lines(1, 2, "X", ["1:if (b"])], "aa|X|cc|"],
    ["aa||cc|", [lines(1, 2, "X", ["1:"])], "aa|X|cc|"],
    ["aa|bb|cc|", [lines(0, 1, "X", ["0:bb"])], "aa|X|cc| (moved)"],
    ["aa|bb|cc|dd|", [lines(2, 4, "X", ["2:bb", "3:cc"])], "aa|X|dd| (moved)"],
    ["aa|bb|cc|", [lines(2, 2, "X", ["1:cc"])], "aa|bb|cc|X| (moved)"],
    ["aa|bb|xx|cc|", [lines(1, 3, "X", ["1:bb", "2:cc"])], "aa|bb|xx|cc| !anchor-mismatch"],
    ["aa|xx|aa|bb|", [lines(0, 2, "X", ["0:aa", "1:bb"])], "aa|xx|aa|bb| !anchor-mismatch"],
    ["bb|aa|bb|", [lines(1, 2, "X", ["1:bb"])], "bb|aa|bb| !anchor-mismatch"],
    ["aa|}|cc|", [lines(2, 3, "X", ["2:}"])], "aa|}|cc| !anchor-mismatch"],
    ["aa||cc|", [lines(2, 3, "X", ["2:"])], "aa||cc| !anchor-mismatch"],
    ["aa|bb|", [lines(0, 1, "X", ["0:a", "9:zz"])], "aa|bb| !anchor-mismatch"],
    [`aa${"|".repeat(9)}bb|`, [lines(0, 1, "X", ["0:bb"])], `aa${"|".repeat(9)}bb| !anchor-mismatch`],
    [`aa${"|".repeat(8)}bb|`, [lines(0, 1, "X", ["0:bb"])], `aa${"|".repeat(8)}X| (moved)`],
  ],
};

for (const [name, list] of Object.entries(cases)) {
  describe(`lines ${name}`, () => {
    for (const [before, asks, after] of list) {
      test(`${before} with ${JSON.stringify(asks)}`, () => expect(shown(before, asks)).toBe(after));
    }
  });
}

test("messages count lines from 1 and show the lines in question", () => {
  const files = new Map([["a.ts", "aa\nbb\ncc\nbb\n"]]);
  const { refusals } = resolveOperations([lines(2, 3, "X", ["2:bb"])], files);
  expect(refusals).toEqual([
    {
      kind: "anchor-mismatch",
      message: 'Line 3 is said to begin with "bb", but it reads "cc".',
      row: 0,
      path: "a.ts",
      nearest: [
        { start: 2, lines: ["cc"] },
        { start: 1, lines: ["bb"] },
        { start: 3, lines: ["bb"] },
      ],
    },
  ]);
});
