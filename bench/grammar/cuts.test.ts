import fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../scripts/train/seeded-random.ts";
import { randomCut } from "./cuts.ts";

const anyText = fc.string({ unit: "grapheme", maxLength: 40 });

test("a cut is three parts of the text, and no character is cut in two", () => {
  fc.assert(
    fc.property(anyText, fc.integer(), (text, seed) => {
      const { before, middle, behind } = randomCut(text, seededRandom(seed));
      expect(before + middle + behind).toBe(text);
      for (const part of [before, middle, behind]) expect(part).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test("middles are of all lengths up to 1,023, short ones as often as long ones", () => {
  const random = seededRandom(1);
  const lengths = Array.from({ length: 2000 }, () => randomCut("a".repeat(5000), random).middle.length);
  expect(Math.min(...lengths)).toBe(0);
  expect(Math.max(...lengths)).toBeGreaterThan(900);
  expect(Math.max(...lengths)).toBeLessThan(1024);
  // A tenth for each power of two.
  for (let power = 1; power < 10; power++) {
    const share = lengths.filter((length) => length + 1 >= 2 ** power && length + 1 < 2 ** (power + 1)).length / 2000;
    expect(share).toBeGreaterThan(0.07);
    expect(share).toBeLessThan(0.13);
  }
});
