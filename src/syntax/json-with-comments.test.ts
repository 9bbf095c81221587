import { expect, test } from "vitest";
import { parseJsonWithComments } from "./json-with-comments.ts";

const levels = 100_000;

test.each([
  ["lists", "[".repeat(levels) + "]".repeat(levels)],
  ["objects", `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`],
  ["lists that stay open", "[".repeat(levels)],
  ["lists closed by braces", "[},".repeat(levels)],
])("row 19: %s that nest too deep have no value", (_, text) => {
  expect(parseJsonWithComments(text)).toBeUndefined();
});

test("parseJsonWithComments returns the value of a text with comments and trailing commas", () => {
  expect(parseJsonWithComments('{"a": [1, 2,], // two\n}')).toEqual({ a: [1, 2] });
});
