import fc from "fast-check";
import { expect, test } from "vitest";
import { sameEnds } from "./same-ends.ts";

test.each<[one: string, other: string, front: number, back: number]>([
  ["", "", 0, 0],
  ["open cart", "open basket", 5, 1],
  ["a", "a", 1, 0],
  ["aba", "aa", 1, 1],
  ["aa", "aaaa", 2, 0],
  ["one", "two", 0, 0],
])("%j and %j share %i in front and %i at the end", (one, other, front, back) => {
  expect(sameEnds(one, other)).toEqual({ front, back });
});

test("law: the ends are the same, do not overlap, and nothing more in front or behind is shared", () => {
  const items = fc.array(fc.constantFrom(1, 2), { maxLength: 8 });
  fc.assert(
    fc.property(items, items, (one, other) => {
      const { front, back } = sameEnds(one, other);
      const [left, right] = [one, other].map((all) => all.slice(front, all.length - back));
      expect(one.slice(0, front)).toEqual(other.slice(0, front));
      expect(one.slice(one.length - back)).toEqual(other.slice(other.length - back));
      expect(front + back).toBeLessThanOrEqual(Math.min(one.length, other.length));
      if (left!.length > 0 && right!.length > 0) {
        expect(left![0]).not.toBe(right![0]);
        expect(left!.at(-1)).not.toBe(right!.at(-1));
      }
    }),
  );
});
