import { expect, test } from "vitest";
import { containsAnyName } from "./contains-name.ts";

test.each([
  ["one", "const one = 1", true],
  ["one", "someone, oneself, one1, $one", false],
  ["one", "oneself or one", true],
  ["one", "//one", true],
  ["one", "this.#one", false],
  ["#one", "this.#one", true],
  ["#one", "this.#ones", false],
  ["$one", "call($one)", true],
  ["one two", "// two alone", true],
  ["größe", "größer als die Größe", false],
  ["größe", "größe()", true],
  ["", "anything", false],
])("containsAnyName searches %s in `%s`: %s", (names, text, expected) => {
  expect(containsAnyName(text, new Set(names.split(" ").filter((name) => name !== "")))).toBe(expected);
});
