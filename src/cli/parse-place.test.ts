import { expect, test } from "vitest";
import { Lines } from "../text/index.ts";
import { offsetOfPlace, parsePlace } from "./parse-place.ts";
import { CommandFailure } from "./terminal/failure.ts";

/** `file|line|column`, or the failure's message. */
function parse(argument: string): string {
  try {
    const { file, line, column } = parsePlace(argument);
    return `${file}|${line}|${column}`;
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === 2) return error.message;
    throw error;
  }
}

test.each([
  ["src/a.ts:12:5", "src/a.ts|12|5"],
  ["C:\\code\\a.ts:1:2", "C:\\code\\a.ts|1|2"],
  ["C:/code/a.ts:1:2", "C:/code/a.ts|1|2"],
  ["a:b.ts:3:4", "a:b.ts|3|4"],
  ["a.ts:1:2:3:4", "a.ts:1:2|3|4"],
  ["with space.ts:1:1", "with space.ts|1|1"],
  [
    "a.ts",
    '"a.ts" is not FILE:LINE:COL: it does not end with a line and a column. Write for example src/main.ts:12:5.',
  ],
  ["a.ts:3", '"a.ts:3" is not FILE:LINE:COL: it has no column. Write for example src/main.ts:12:5.'],
  ["a.ts:3:", '"a.ts:3:" is not FILE:LINE:COL: it has no column. Write for example src/main.ts:12:5.'],
  [
    "a.ts:3:x",
    '"a.ts:3:x" is not FILE:LINE:COL: it does not end with a line and a column. Write for example src/main.ts:12:5.',
  ],
  [
    "a.ts:-1:2",
    '"a.ts:-1:2" is not FILE:LINE:COL: it does not end with a line and a column. Write for example src/main.ts:12:5.',
  ],
  [
    ":1:2",
    '":1:2" is not FILE:LINE:COL: it does not end with a line and a column. Write for example src/main.ts:12:5.',
  ],
  ["a.ts:0:1", '"a.ts:0:1" counts from 0: lines and columns count from 1.'],
  ["a.ts:1:0", '"a.ts:1:0" counts from 0: lines and columns count from 1.'],
])("the place argument %s is parsed", (argument, expected) => expect(parse(argument)).toBe(expected));

/** The text with `|` at the place, or the failure's message. */
function mark(text: string, line: number, column: number): string {
  try {
    const offset = offsetOfPlace(Lines.of(text), { file: "a.ts", line, column });
    return `${text.slice(0, offset)}|${text.slice(offset)}`;
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === 4) return error.message;
    throw error;
  }
}

test.each([
  ["ab\ncd\n", 1, 1, "|ab\ncd\n"],
  ["ab\ncd\n", 2, 3, "ab\ncd|\n"],
  ["ab\r\ncd", 1, 3, "ab|\r\ncd"],
  ["ab\ncd\n", 3, 1, "ab\ncd\n|"],
  ["", 1, 1, "|"],
  ["😀x", 1, 3, "😀|x"],
  ["\uFEFFab", 1, 1, "\uFEFF|ab"],
  ["\uFEFFab", 1, 4, "Column 4 is outside of line 1 of a.ts, which has 2 UTF-16 units. Give a column from 1 to 3."],
  ["ab\r\ncd", 1, 4, "Column 4 is outside of line 1 of a.ts, which has 2 UTF-16 units. Give a column from 1 to 3."],
  ["ab\n", 2, 2, "Column 2 is outside of line 2 of a.ts, which is empty. Give a column from 1 to 1."],
  ["ab\n", 4, 1, "Line 4 is outside of a.ts, which has 2 lines. Give a line from 1 to 2."],
  ["ab", 2, 1, "Line 2 is outside of a.ts, which has 1 line. Give a line from 1 to 1."],
])("a place in %j at %d:%d is found", (text, line, column, expected) =>
  expect(mark(text, line, column)).toBe(expected),
);
