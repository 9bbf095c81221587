import { expect, test } from "vitest";
import { anyText, law } from "../../text/edit.laws.ts";
import { fileLines, LineTable } from "./line-table.ts";

law("a line table has the lines of fileLines, and with their endings they are the text", [anyText], (text) => {
  const table = LineTable.of(text);
  expect(table.all().map((line) => line.text)).toEqual(fileLines(text));
  expect(
    table
      .all()
      .map((line) => line.text + line.ending)
      .join(""),
  ).toBe(text.replace(/^\ufeff/, ""));
});

test.each([
  ["", "\n", true],
  ["a", "\n", false],
  ["a\r\nb\nc\r\n", "\r\n", true],
  ["a\nb\r\n", "\n", true],
  ["a\r\nb\n", "\r\n", true],
  ["a\rb", "\r", false],
  ["a\rb\n", "\n", true],
  ["a\nb\r", "\n", false],
])("%j mostly ends with %j; its last line ends: %j", (text, ending, endsWithBreak) => {
  const table = LineTable.of(text);
  expect([table.ending, table.endsWithBreak]).toEqual([ending, endsWithBreak]);
});

const cases: readonly (readonly [text: string, lines: readonly string[]])[] = [
  ["", []],
  ["\n", [""]],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\n\n", ["a", ""]],
  ["a\r\nb\nc", ["a", "b", "c"]],
  ["a\rb\nc\r", ["a\rb", "c\r"]],
  ["a\rb\r", ["a", "b"]],
  ["\ufeffa\n", ["a"]],
  ["\ufeff", []],
];

for (const [text, lines] of cases) {
  test(`fileLines splits ${JSON.stringify(text)}`, () => expect(fileLines(text)).toEqual(lines));
}
