import { expect, test } from "vitest";
import { fileLines } from "./file-lines.ts";

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
  test(`lines of ${JSON.stringify(text)}`, () => expect(fileLines(text)).toEqual(lines));
}
