import fc from "fast-check";
import { distance } from "fastest-levenshtein";
import { describe, expect, test } from "vitest";
import { bleu, diffText, honestDiffBleu, levenshtein, publishedDiffBleu, totalLevenshtein } from "./text-scores.ts";

describe("levenshtein", () => {
  const cases: readonly (readonly [one: string, other: string, distance: number])[] = [
    ["", "", 0],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
    ["abcd", "acbd", 2],
    ["same", "same", 0],
  ];
  test.each(cases)("%j to %j is %d", (one, other, distance) => expect(levenshtein(one, other)).toBe(distance));

  test("is a distance", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(levenshtein(a, b)).toBe(levenshtein(b, a));
        expect(levenshtein(a, c)).toBeLessThanOrEqual(levenshtein(a, b) + levenshtein(b, c));
        expect(levenshtein(a, b) === 0).toBe(a === b);
      }),
      { seed: 1 },
    );
  });

  test("is the distance of another implementation", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(levenshtein(a, b)).toBe(distance(a, b));
      }),
      { seed: 1, numRuns: 1000 },
    );
  });
});

describe("BLEU", () => {
  test("of a text and itself is 1, of nothing in common 0", () => {
    expect(bleu("a b c d e", "a b c d e")).toBeCloseTo(1);
    expect(bleu("a b c d e", "v w x y z")).toBe(0);
    expect(bleu("", "a b c d")).toBe(0);
  });

  test("is the geometric mean of four precisions, and falls with what is too short", () => {
    // 5 of 6 words, 4 of 5 pairs, 3 of 4, 2 of 3.
    expect(bleu("a b c d e x", "a b c d e f")).toBeCloseTo(((5 / 6) * (4 / 5) * (3 / 4) * (2 / 3)) ** 0.25);
    expect(bleu("a b c d", "a b c d e f g h")).toBeCloseTo(Math.exp(1 - 8 / 4));
  });
});

describe("DiffBLEU", () => {
  const hit = { source: "a\nb\nc\nd", target: "a\nB\nc\nd", predicted: "a\nB\nc\nd" };
  const missed = { source: "x\ny\nz\nw", target: "x\nY\nz\nw", predicted: "x\ny\nz\nw" };
  const needless = { source: "x\ny\nz\nw", target: "x\ny\nz\nw", predicted: "x\nQ\nz\nw" };
  const untouched = { source: "q", target: "q", predicted: "q" };

  test("as published does not see files that were missed or changed without need", () => {
    expect(publishedDiffBleu([hit, missed, needless, untouched])).toBeCloseTo(1);
  });
  test("the honest one counts each of them as 0", () => {
    expect(honestDiffBleu([hit, missed, needless, untouched])).toBeCloseTo(1 / 3);
    expect(honestDiffBleu([untouched])).toBeUndefined();
  });
  test("the distance is that of all files", () => {
    expect(totalLevenshtein([hit, missed, needless])).toBe(2);
  });
  test("a difference is printed as hunks with three lines around", () => {
    expect(diffText("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\nsix")).toBe("@@ -3,4 +3,4 @@\n 3\n 4\n 5\n-6\n+six");
    expect(diffText("a", "a")).toBe("");
  });
});
