import { expect, test } from "vitest";
import { LineRepeats } from "./line-repeats.ts";

/**
 * A file with ` / ` between its lines, the new lines between bars, and whether each edge is usual
 * for the file.
 */
const cases: readonly (readonly [marked: string, first: boolean, last: boolean])[] = [
  ["a / b / | c | / d", true, true],
  // A line that occurs twice in a row.
  ["a / b / | b / c | / d", false, true],
  ["a / b / | c / d | / d", true, false],
  ["x / x / y / | x / c | / x / d", true, true],
  ["a / y / x / x / | c / x | / x / d", true, true],
  ["a / b / | b / b / c | / d", true, true],
  ["  x / x / y / x / | x / c | / d", true, true],
  // Blank lines.
  ["a /  / b /  / | c /  | / d", true, true],
  ["a /  / b /  / |  / c /  | / d", false, true],
  ["a /  / b /  / | c /  /  | / d", true, false],
  ["a /  /  / b /  / |  / c /  | / d", true, true],
  // Blank lines before lines of the same pattern, where there are enough of them.
  ["f /  /  / f /  /  / f /  / g / g / g /  / |  / f | / g", true, true],
  ["f /  /  / f /  /  / f /  / g / g / g /  / |  / g | / f", false, true],
  ["f / f / f /  / g /  / |  / h | / g", false, true],
  // Only blank lines.
  ["a /  / b / |  | / c / d", true, true],
  ["a /  / b / |  /  | / c / d", false, false],
  // Nothing to compare with.
  ["a / |  /  / b |", true, true],
];

for (const [marked, first, last] of cases) {
  test(`LineRepeats.isUsual at both ends of ${marked}`, () => {
    const [above, fresh, below] = marked
      .split("|")
      .map((part) => part.replace(/^ \/ | \/ $/g, ""))
      .map((part, i) => (part === "" || (i !== 1 && part.trim() === "") ? [] : linesOf(part)));
    const repeats = new LineRepeats([...above!, ...below!]);
    const splice = { start: above!.length, end: above!.length, lines: fresh! };
    expect([repeats.isUsual(splice, "first"), repeats.isUsual(splice, "last")]).toEqual([first, last]);
  });
}

function linesOf(part: string): readonly string[] {
  return part.split("/").map((line) => line.replace(/^ | $/g, ""));
}
