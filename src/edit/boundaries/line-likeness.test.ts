import { expect, test } from "vitest";
import { LineLikeness, lineWeight } from "./line-likeness.ts";

const cases: readonly (readonly [one: string, other: string, likeness: number])[] = [
  ["const a = 1;", "const a = 1;", 1],
  ["const a = 1;", "    const a = 1;", 1],
  // Of three words and two punctuation marks each, two words and both marks are common.
  ["const a = 1;", "const b = 1;", 0.75],
  ["one two", "two one", 1],
  ["one", "two", 0],
  ["one one", "one", 2 / 3],
  ["}", "}", 1],
  ["}", "  }", 1],
  ["}", "});", 0],
  ["", "   ", 1],
  ["", "one", 0],
];

for (const [one, other, likeness] of cases) {
  test(`the likeness of the lines ${JSON.stringify(one)} and ${JSON.stringify(other)}`, () => {
    const lines = new LineLikeness();
    expect(lines.of(one, other)).toBeCloseTo(likeness);
    expect(lines.of(other, one)).toBeCloseTo(likeness);
    expect(lines.of(one, other)).toBeCloseTo(likeness);
  });
}

test("lines with more words weigh more", () => {
  const weights = ["", "});", "return;", "return one;"].map(lineWeight);
  expect(weights).toEqual(weights.toSorted((a, b) => a - b));
  expect(new Set(weights).size).toBe(weights.length);
});
