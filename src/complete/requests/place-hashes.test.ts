import fc from "fast-check";
import { expect, test } from "vitest";
import { placeHashes } from "./answer-cache.ts";

const text = fc.string({ maxLength: 12, unit: fc.constantFrom("a", "b", "\n", "(") });
const limits = { lookBack: 5, skip: 3 };

test("law: the hash of an earlier place equals the hash computed for it alone", () => {
  fc.assert(
    fc.property(text, text, (prefix, suffix) => {
      const { before, behind } = placeHashes(prefix, suffix, limits);
      expect(before).toEqual(
        Array.from({ length: Math.min(5, prefix.length) + 1 }, (_, back) => {
          return placeHashes(prefix.slice(0, prefix.length - back), "", limits).before[0];
        }),
      );
      expect(behind).toEqual(
        Array.from({ length: Math.min(3, suffix.length) + 1 }, (_, skipped) => {
          return placeHashes("", suffix.slice(skipped), limits).behind[0];
        }),
      );
    }),
  );
});

test("place hashes of different texts differ", () => {
  const seen = new Map<number, string>();
  for (const one of fc.sample(fc.string({ maxLength: 6 }), { numRuns: 3000, seed: 7 })) {
    const hash = placeHashes(one, "", limits).before[0]!;
    expect(seen.get(hash) ?? one).toBe(one);
    seen.set(hash, one);
  }
});
