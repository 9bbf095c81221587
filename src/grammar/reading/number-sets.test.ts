import fc from "fast-check";
import { expect, test } from "vitest";
import { absent } from "../tables/pair-map.ts";
import { NumberSets } from "./number-sets.ts";

test("law: NumberSets has the members of plain sets, in the same order", () => {
  let large = 0;
  let repeats = 0;
  const addition = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40 }));
  const law = fc.property(fc.array(addition, { maxLength: 120, size: "max" }), (additions) => {
    const sets = new NumberSets();
    const plain = [0, 1, 2, 3].map(() => new Set<number>());
    for (const [set, value] of additions) {
      const isNew = !plain[set]!.has(value);
      plain[set]!.add(value);
      expect(sets.add(set, value)).toBe(isNew);
      if (!isNew) repeats += 1;
    }
    for (const [set, members] of plain.entries()) {
      expect(sets.all(set)).toEqual([...members]);
      if (members.size > 8) large += 1;
    }
  });
  fc.assert(law);
  // Sets behave otherwise where they are small.
  expect(large).toBeGreaterThan(5);
  expect(repeats).toBeGreaterThan(100);
});

test("NumberSets can be iterated while a set grows", () => {
  const sets = new NumberSets();
  sets.add(0, 0);
  const seen: number[] = [];
  for (let at = sets.first(0); at !== absent; at = sets.next(at)) {
    seen.push(sets.value(at));
    if (seen.length < 20) sets.add(0, seen.length);
  }
  expect(seen).toEqual(Array.from({ length: 20 }, (_, value) => value));
});
