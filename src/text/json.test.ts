import { expect, test } from "vitest";
import { asciiJson, deepPlaceInJson } from "./json.ts";

test.each<[string, string, number | undefined]>([
  ["three lists", "[[[]]]", 2],
  ["lists side by side", "[[], [], []]", undefined],
  ["an object in a list in an object", '{"a": [{"b": 1}]}', 7],
  ["brackets in strings", '["[[[", "{"]', undefined],
  ["brackets in comments", "[ // [[[\n /* [[ */ ]", undefined],
  ["closing brackets of another kind", "[}[}[}", 4],
  ["brackets that stay open", "[[[[", 2],
  ["a comment that stays open", "[ /* [[[", undefined],
  ["strings that stay open", '["[[[\n[[', 7],
  ["escaped quotes in strings", '["\\"[[[", []]', undefined],
])("row 19: the place that is over 2 levels deep in %s", (_, text, expected) => {
  expect(deepPlaceInJson(text, 2)).toBe(expected);
});

test.each([
  ["é — 😀", '"\\u00e9 \\u2014 \\ud83d\\ude00"'],
  [{ "ü\n": ["a\u007f\u0080"] }, '{"\\u00fc\\n":["a\u007f\\u0080"]}'],
])("%j as JSON in ASCII", (value, expected) => {
  expect(asciiJson(value)).toBe(expected);
  expect(JSON.parse(asciiJson(value))).toEqual(value);
});
