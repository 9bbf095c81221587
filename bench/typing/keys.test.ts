import fc from "fast-check";
import { expect, test } from "vitest";
import { keysOf } from "./keys.ts";

test.each([
  ["", []],
  ["ab", ["a", "b"]],
  ["{\n  x\n}", ["{", "\n  ", "x", "\n", "}"]],
  ["a\r\n\tb", ["a", "\r\n\t", "b"]],
  ["a\n\n  b", ["a", "\n", "\n  ", "b"]],
  ["😀é", ["😀", "é"]],
])("keysOf splits %j into keystrokes", (text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

test("the keys write the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(keysOf(text).join("")).toBe(text);
    }),
  );
});
