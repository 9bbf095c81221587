import { expect, test } from "vitest";
import { trueNames } from "./true-names.ts";

const cases: readonly (readonly [line: string, names: readonly string[]])[] = [
  ["getEle|ment(x)", ["getElement", "x"]],
  ["const total = |sum(prices, sum)", ["sum", "prices"]],
  ["cart|.items", ["items"]],
  ["return |new Map();", ["Map"]],
  ["}|);", []],
];
for (const [line, names] of cases) {
  test(`trueNames finds the names of the middle: ${line}`, () => {
    const [prefix, middle] = line.split("|") as [string, string];
    expect(trueNames(prefix, middle)).toEqual(names);
  });
}
