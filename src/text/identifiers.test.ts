import { expect, test } from "vitest";
import { isIdentifier } from "./identifiers.ts";

test.each([
  ["a", true],
  ["$_1", true],
  ["größe", true],
  ["名前", true],
  ["class", true],
  ["", false],
  ["1a", false],
  ["a-b", false],
  ["#a", false],
  ["a b", false],
  ["\\u0061", false],
])("%j is an identifier: %s", (text, expected) => {
  expect(isIdentifier(text)).toBe(expected);
});
