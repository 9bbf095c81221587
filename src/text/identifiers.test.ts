import { expect, test } from "vitest";
import { anyIdentifier, isIdentifier, nameWords, placedNameWords } from "./identifiers.ts";

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

test.each([
  ["const größe = $_1 + 2a;", "const größe $_1 a"],
  ["名前.x?.#y", "名前 x y"],
  ["1 + 2", ""],
])("the identifiers of %j are %j", (text, identifiers) => {
  expect((text.match(anyIdentifier) ?? []).join(" ")).toBe(identifiers);
});

test.each([
  ["", ""],
  ["parseHTTPRequest", "parse http request"],
  ["user_id2", "user id 2"],
  ["MAX_SIZE", "max size"],
  ["big-ring", "big ring"],
  ["aB", "a b"],
  ["IOError", "io error"],
  ["größeÄndern", "größe ändern"],
])("the words of the name %j are %j", (name, words) => {
  expect(nameWords(name).join(" ")).toBe(words);
  for (const { word, start, end } of placedNameWords(name)) expect(name.slice(start, end)).toBe(word);
});
