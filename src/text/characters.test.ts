import fc from "fast-check";
import { expect, it, test } from "vitest";
import { escapedPattern, isInsideCharacter } from "./characters.ts";

// Offsets that lie inside a character are shown as `^`.
it.each([
  ["abc", "abc"],
  ["a\r\nb", "a\r^\nb"],
  ["\r\r\n\n\r", "\r\r^\n\n\r"],
  ["😀😀", "\ud83d^\ude00\ud83d^\ude00"],
  // Halves without a partner, and what only looks like one character.
  ["\ude00\ud83d", "\ude00\ud83d"],
  ["\ud83d\n", "\ud83d\n"],
  ["e\u0301", "e\u0301"],
])("characters of %j have insides %j", (text, expected) => {
  const shown = Array.from({ length: text.length + 1 }, (_, offset) => {
    return (isInsideCharacter(text, offset) ? "^" : "") + text.charAt(offset);
  });
  expect(shown.join("")).toBe(expected);
});

test("an escaped text is the pattern of that text alone", () => {
  const text = fc.string({ unit: fc.constantFrom("{", "}", ..."ab.*+?^$()|[]\\/-é\n"), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const pattern = new RegExp(`^${escapedPattern(one)}$`, "u");
      expect([pattern.test(one), pattern.test(other)]).toEqual([true, one === other]);
    }),
  );
});
