import fc from "fast-check";
import { expect, test } from "vitest";
import { fileLines } from "../formats/index.ts";
import { Edit } from "../text/index.ts";
import { editedLines, lineFinder } from "./line-range.ts";

// The range is between the two bars.
const cases: readonly (readonly [text: string, start: number, end: number])[] = [
  ["|a|\nb\n", 0, 1],
  ["|a\n|b\n", 0, 1],
  ["a\n|b\n|", 1, 2],
  ["a|\nb|\n", 0, 2],
  ["a\n||b\n", 1, 1],
  ["a\r\n|b|\r\n", 1, 2],
  ["a\rb\n|c|", 1, 2],
  ["a\r|b|", 1, 2],
  ["a\n||", 1, 1],
  ["||", 0, 0],
];

for (const [marked, start, end] of cases) {
  test(`a selection covers the lines of ${JSON.stringify(marked)}`, () => {
    const [before, inside] = marked.split("|");
    const range = { start: before!.length, end: before!.length + inside!.length };
    expect(lineFinder(marked.replaceAll("|", ""))(range)).toEqual({ start, end });
  });
}

test("lineFinder finds each line of a file by its own range", () => {
  const text = fc.array(fc.constantFrom("a", "bc", ""), { minLength: 1 }).map((lines) => `${lines.join("\n")}\n`);
  fc.assert(
    fc.property(text, (source) => {
      const find = lineFinder(source);
      let start = 0;
      for (const [index, line] of fileLines(source).entries()) {
        const end = start + line.length + 1;
        expect(find({ start, end })).toEqual({ start: index, end: index + 1 });
        start = end;
      }
    }),
  );
});

test("editedLines returns the touched lines in the text after the edit", () => {
  const before = "a\nb\nc\n";
  const edit = Edit.of([
    { start: 0, end: 0, text: "x\ny\n" },
    { start: 2, end: 4, text: "" },
  ]);
  expect(editedLines(edit.apply(before), edit)).toEqual([
    { start: 0, end: 2 },
    { start: 3, end: 3 },
  ]);
});
