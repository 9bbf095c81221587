import { expect, test } from "vitest";
import { anyText, law } from "../../text/edit.laws.ts";
import { fileLines } from "../reading/file-lines.ts";
import { LineTable } from "./line-table.ts";

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
