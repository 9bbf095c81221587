import { describe, expect, it } from "vitest";
import { toHalf } from "./half-float.ts";
import { mixerWeights } from "./mixer.ts";
import { decodeWeights } from "./shipped-weights.ts";

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
