import { expect, test } from "vitest";
import { choosePlaces } from "./places.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Every place that may be chosen in `text`, marked with `|`, with the rest of the line behind it.
 */
function allPlaces(text: string, lineIndexes?: readonly number[]): string[] {
  const request = { path: "a.ts", text, count: 2000, ...(lineIndexes && { lineIndexes }) };
  const found = choosePlaces(request, seededRandom(1)).sort((a, b) => a.offset - b.offset);
  const printed = found.map(({ kind, offset, end, lineEnd }) => {
    const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
    return `${kind} ${before}|${text.slice(offset, end)}${lineEnd === end ? "" : "~"}`;
  });
  return [...new Set(printed)];
}

test("the start of the code, after triggers, inside names", () => {
  expect(allPlaces("  a = bc(1)")).toEqual([
    "line   |a = bc(1)",
    "trigger   a |= bc(1)",
    "trigger   a = |bc(1)",
    "word   a = b|c(1)",
    "trigger   a = bc(|1)",
  ]);
});

test("neither comments, nor short lines, nor white space at the end", () => {
  expect(allPlaces("// foo.bar()\n * foo.bar()\n# foo bar\n};\n\n")).toEqual([]);
  expect(allPlaces("abc \t\r\nx")).toEqual(["line |abc~", "word a|bc~", "word ab|c~"]);
});

test("places are only on the requested lines that exist", () => {
  expect(allPlaces("abc\ndef\nghi", [1, 9])).toEqual(["line |def", "word d|ef", "word de|f"]);
  expect(allPlaces("abc", [])).toEqual([]);
});

test("the same seed, the same places", () => {
  const request = { path: "a.ts", text: "one.two(three)\nfour = five\n".repeat(30), count: 20 };
  const choose = (seed: number) => choosePlaces(request, seededRandom(seed)).map(({ offset }) => offset);
  expect(choose(3)).toEqual(choose(3));
  expect(choose(3)).not.toEqual(choose(4));
  expect(choose(3)).toHaveLength(20);
});
