import { expect, test } from "vitest";
import { printBoundaryRepair } from "./boundary-repair.ts";

const still = {
  startMove: 0,
  endMove: 0,
  leftOutFirst: 0,
  leftOutLast: 0,
  resolvedFirst: undefined,
  resolvedLast: undefined,
};
const splice = { start: 2, end: 4, lines: ["x"] };

const cases: readonly (readonly [line: string, ...Parameters<typeof printBoundaryRepair>])[] = [
  [
    "The change is at lines 3 to 4, not at lines 3 to 5: the file would not parse otherwise.",
    { ...still, splice, endMove: -1 },
    ["parse-failure"],
  ],
  [
    "The change is at line 3, not at line 2: the lines that the answer quotes stand there.",
    { ...still, splice: { ...splice, end: 3 }, startMove: 1, endMove: 1 },
    ["anchor-mismatch"],
  ],
  [
    "The change is behind line 2, not in front of line 1: brackets would lose their partners.",
    { ...still, splice: { ...splice, end: 2 }, startMove: 2, endMove: 2 },
    ["bracket-balance"],
  ],
  [
    "The first new line is left out, which stands in front of it already: lines would stand there twice.",
    { ...still, splice, leftOutFirst: 1 },
    ["echoed-edge"],
  ],
  [
    "The first new line is left out, which stands in front of it already; the last 2 new lines are left out, which stand behind them already: the file would not parse otherwise, and lines would stand there twice.",
    { ...still, splice, leftOutFirst: 1, leftOutLast: 2 },
    ["parse-failure", "echoed-edge"],
  ],
];

for (const [line, candidate, evidence] of cases) {
  test(`printBoundaryRepair prints "${line}"`, () => expect(printBoundaryRepair(candidate, evidence)).toBe(line));
}
