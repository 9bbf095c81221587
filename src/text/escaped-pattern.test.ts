import fc from "fast-check";
import { expect, test } from "vitest";
import { escapedPattern } from "./escaped-pattern.ts";

test("an escaped text is the pattern of that text alone", () => {
  const text = fc.string({ unit: fc.constantFrom("{", "}", ..."ab.*+?^$()|[]\\/-é\n"), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const pattern = new RegExp(`^${escapedPattern(one)}$`, "u");
      expect([pattern.test(one), pattern.test(other)]).toEqual([true, one === other]);
    }),
  );
});
