import { expect, test } from "vitest";
import { copyText } from "./copy-text.ts";

test.each([
  ["an empty text", ""],
  ["quotes, backslashes and line breaks", '"a\\b"\r\n\u2028'],
  ["control characters and a byte order mark", "\uFEFF\0\b\u001F"],
  ["a character outside the basic plane", "😀"],
  ["a lone surrogate", "a\uD800b"],
])("a copy equals %s", (_, text) => {
  expect(copyText(text)).toBe(text);
});
