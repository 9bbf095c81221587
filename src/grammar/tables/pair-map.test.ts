import fc from "fast-check";
import { expect, test } from "vitest";
import { absent, PairMap } from "./pair-map.ts";

const number = fc.oneof(fc.nat(3), fc.nat(0x7fff_ffff));
const pair = fc.tuple(number, number);

test("law: PairMap has the values of a plain map", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(pair, fc.nat(0x7fff_fffe)), { maxLength: 200 }),
      fc.array(pair),
      (entries, others) => {
        const map = new PairMap();
        const expected = new Map<string, number>();
        for (const [[first, second], value] of entries) {
          map.set(first, second, value);
          expected.set(`${first},${second}`, value);
        }
        expect(map.size).toBe(expected.size);
        for (const [first, second] of [...entries.map(([each]) => each), ...others]) {
          expect(map.get(first, second)).toBe(expected.get(`${first},${second}`) ?? absent);
        }
      },
    ),
  );
});

test("PairMap.add adds a pair once", () => {
  const map = new PairMap();
  expect([map.add(1, 2), map.add(2, 1), map.add(1, 2), map.get(1, 2), map.size]).toEqual([true, true, false, 0, 2]);
});

test("a PairMap of many pairs, whose tables are split, has all of them", () => {
  const map = new PairMap();
  const count = 150_000;
  // Pairs whose keys have only high bits, and pairs that differ in one key only.
  const keysOf = (n: number): [number, number] => (n % 3 === 0 ? [n * 0x3000, 7] : [n % 3, n]);
  for (let n = 0; n < count; n++) map.set(...keysOf(n), n);
  for (let n = 0; n < count; n += 2) map.set(...keysOf(n), n + 1);
  const wrong = Array.from({ length: count }, (_, n) => n).filter((n) => map.get(...keysOf(n)) !== n + 1 - (n % 2));
  expect([wrong, map.size, map.get(7, 7)]).toEqual([[], count, absent]);
});
