import fc from "fast-check";
import { expect, test } from "vitest";
import { debounceMs, defaultGhostTextSettings } from "../settings.ts";

const { debounce } = defaultGhostTextSettings;

test.each([
  [0, 275],
  [0.2, 270],
  [0.3475, 150],
  [0.5, 43],
  [1, 25],
])("a score of %s waits %s ms", (score, ms) => expect(Math.round(debounceMs(score, debounce))).toBe(ms));

test("law: a higher acceptance score never has a longer debounce delay", () => {
  const score = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(score, score, (one, other) => {
      const [less, more] = one < other ? [one, other] : [other, one];
      return debounceMs(less, debounce) >= debounceMs(more, debounce);
    }),
  );
});
