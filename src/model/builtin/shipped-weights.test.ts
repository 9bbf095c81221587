import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { mixerWeights } from "./mixer.ts";
import { decodeWeights, fromHalf, toHalf } from "./shipped-weights.ts";

/** Weights as they are shipped. */
function encode(weights: readonly number[]): string {
  const halves = weights.map(toHalf);
  return btoa(String.fromCharCode(...halves.flatMap((half) => [half & 255, half >> 8])));
}

describe("shipped weights", () => {
  it.each([1, 2, 3])("may be those of %i mixers", (members) => {
    // Numbers that a 16-bit float holds as they are.
    const weights = Array.from({ length: members * mixerWeights }, (_, i) => ((i % 1024) - 512) / 256);
    expect([...decodeWeights(encode(weights))]).toEqual(weights);
  });

  it.each([0, 1, mixerWeights - 1, mixerWeights + 1])("are refused if their number is %i", (length) => {
    expect(() => decodeWeights(encode(Array(length).fill(0)))).toThrow(`and ${length} are shipped`);
  });
});

test("known values convert to half floats", () => {
  const check = (value: number, bits: number) =>
    expect(toHalf(value).toString(16), String(value)).toBe(bits.toString(16));
  check(0, 0);
  check(-0, 0x8000);
  check(1, 0x3c00);
  check(-2, 0xc000);
  check(1 / 3, 0x3555);
  check(65504, 0x7bff);
  check(65519, 0x7bff);
  check(65520, 0x7c00);
  check(Number.NEGATIVE_INFINITY, 0xfc00);
  check(Number.NaN, 0x7e00);
  check(2 ** -14, 0x0400);
  check(2 ** -24, 0x0001);
  check(2 ** -25, 0x0000);
  check(1.5 * 2 ** -24, 0x0002);
  check(2 ** -14 - 2 ** -26, 0x0400);
  // Half way between two neighbours, the even one is taken.
  check(1 + 2 ** -11, 0x3c00);
  check(1 + 3 * 2 ** -11, 0x3c02);
});

test("every half float survives conversion", () => {
  const all = Array.from({ length: 0x10000 }, (_, bits) => bits);
  const expected = all.map((bits) => (Number.isNaN(fromHalf(bits)) ? 0x7e00 : bits));
  expect(all.map((bits) => toHalf(fromHalf(bits)))).toEqual(expected);
});

test("law: a number converts to the nearest half float", () => {
  fc.assert(
    fc.property(fc.float({ min: -65504, max: 65504, noNaN: true }), (value) => {
      const bits = toHalf(value);
      const distance = Math.abs(fromHalf(bits) - value);
      const others = [bits - 1, bits + 1].filter((other) => other >= 0 && Number.isFinite(fromHalf(other)));
      expect(others).not.toEqual([]);
      for (const other of others) expect(Math.abs(fromHalf(other) - value)).toBeGreaterThanOrEqual(distance);
    }),
  );
});
