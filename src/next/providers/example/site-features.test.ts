import { expect, test } from "vitest";
import { Series } from "./site-features.ts";

/** Edits, a letter each, the oldest first; equal letters are the same rewrite. */
function sequelOf(done: string, wanted: string): string {
  const keys = [...done].map((letter) => new Set([letter])).reverse();
  const ages = keys.flatMap((own, age) => (own.has(wanted) ? [age] : []));
  const { gap, length } = new Series(keys).sequelOf(ages);
  return gap === 0 ? "none" : `${gap} after, ${length} before`;
}

test.each([
  ["abcda", "b", "1 after, 0 before"],
  ["abcdab", "c", "1 after, 1 before"],
  ["abcdab", "d", "2 after, 1 before"],
  ["abcdefabcde", "f", "1 after, 4 before"],
  ["abcdea", "e", "none"],
  ["abcd", "b", "none"],
  ["abab", "a", "1 after, 0 before"],
  ["aaaa", "a", "1 after, 0 before"],
  ["", "a", "none"],
])("after the edits %s, the edit %s continues a series: %s", (done, wanted, expected) =>
  expect(sequelOf(done, wanted)).toBe(expected),
);
