import * as fc from "fast-check";
import { expect, test } from "vitest";
import { containsWord, hashOfWord, includesNumber, wordHashes } from "./word-hashes.ts";

function hashesOf(text: string): Float64Array {
  const slices = wordHashes(text);
  for (;;) {
    const { done, value } = slices.next();
    if (done === true) return value;
  }
}

const isWord = (text: string): boolean => /^[\p{L}\p{M}\p{N}_$]+$/u.test(text);

test("the hashes of a text are those of its words, each once, in ascending order", () => {
  const piece = fc.oneof(
    fc.constantFrom("a", "Z", "_", "$", "9", " ", "-", "\n", "é", "e\u0301", "名", "→", "𝒳", "😀", "\ud835", "\udc00"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  let pairs = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join("");
      const words = [...new Set(text.match(/[\p{L}\p{M}\p{N}_$]+/gu) ?? [])];
      pairs += Number(words.some((word) => /[\ud800-\udbff][\udc00-\udfff]/.test(word)));
      expect([...hashesOf(text)]).toEqual(words.map(hashOfWord).sort((a, b) => a - b));
      for (const word of words) expect(includesNumber(hashesOf(text), hashOfWord(word))).toBe(true);
      for (const word of [...words, ...words.map((word) => word.slice(1)), "a", "e\u0301", "𝒳"].filter(isWord)) {
        expect([word, containsWord(text, word)]).toEqual([word, words.includes(word)]);
      }
    }),
    { numRuns: 500 },
  );
  expect(pairs).toBeGreaterThan(20);
});

test("a million words have a million hashes", () => {
  const words = Array.from({ length: 1_000_000 }, (_, n) => `${"xyz"[n % 3]}${n.toString(36)}`);
  expect(hashesOf(words.join(" ")).length).toBe(words.length);
  expect(includesNumber(hashesOf("a b c"), hashOfWord("d"))).toBe(false);
  expect(includesNumber(new Float64Array(), hashOfWord("d"))).toBe(false);
});
