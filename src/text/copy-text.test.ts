import { expect, test } from "vitest";
import { copyText, ownPart } from "./copy-text.ts";

test.each([
  ["an empty text", ""],
  ["quotes, backslashes and line breaks", '"a\\b"\r\n\u2028'],
  ["control characters and a byte order mark", "\uFEFF\0\b\u001F"],
  ["a character outside the basic plane", "😀"],
  ["a lone surrogate", "a\uD800b"],
])("a copy equals %s", (_, text) => {
  expect(copyText(text)).toBe(text);
});

test.each([
  ["most", 0, 9],
  ["little", 3, 5],
  ["nothing", 4, 4],
])("a part that is %s of a text equals its slice", (_, start, end) => {
  expect(ownPart('a\uD800\n"cdefgh', start, end)).toBe('a\uD800\n"cdefgh'.slice(start, end));
});
