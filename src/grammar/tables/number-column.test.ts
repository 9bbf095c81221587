import fc from "fast-check";
import { expect, test } from "vitest";
import { NumberColumn } from "./number-column.ts";

// Small indexes, and indexes around the ends of chunks and chunks after a gap.
const index = fc.oneof(
  fc.nat(40),
  fc.nat(3).map((n) => 16_380 + n * 3),
  fc.nat(200_000),
);
const number = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });

test("law: NumberColumn has the numbers of a plain map, and 0 elsewhere", () => {
  const law = fc.property(fc.array(fc.tuple(index, number)), fc.array(index), (entries, others) => {
    const column = new NumberColumn();
    const expected = new Map<number, number>();
    for (const [at, value] of entries) {
      column.set(at, value);
      expected.set(at, value);
    }
    for (const at of [...expected.keys(), ...others]) expect(column.get(at)).toBe(expected.get(at) ?? 0);
  });
  fc.assert(law);
});
