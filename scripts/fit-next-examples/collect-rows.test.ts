import fc from "fast-check";
import { expect, test } from "vitest";
import { isLookedAt } from "./collect-rows.ts";

const looked = (all: number, most: number) =>
  Array.from({ length: all }, (_, moment) => moment).filter((moment) => isLookedAt(moment, all, most));

test("of a long commit stretches of moments are looked at, from its beginning to near its end", () => {
  const stretches = looked(100, 40).filter((moment) => moment % 10 === 0);
  expect(stretches).toEqual([0, 20, 50, 70]);
});

test("of a short commit all moments are looked at, and of a long one no more than are wanted", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 10, max: 80 }), (all, most) => {
      const count = looked(all, most).length;
      const wanted = 10 * Math.floor(most / 10);
      expect(count).toBeGreaterThanOrEqual(Math.min(all, wanted - 9));
      expect(count).toBeLessThanOrEqual(Math.min(all, wanted));
      // A commit within the limit is looked at completely.
      expect(all <= wanted).toBe(count === all);
    }),
  );
});
