import { expect, test } from "vitest";
import { initialWeights, mixerWeights } from "../../src/model/builtin/mixer.ts";
import { decodeWeights, shippedWeights } from "../../src/model/builtin/shipped-weights.ts";
import { printWeightsModule, roundedWeights } from "./weights-module.ts";

test("weights come back from the module as they were rounded", () => {
  const weights = initialWeights(7);
  const source = printWeightsModule(weights, "Made up.");
  const [, base64] = /"([A-Za-z0-9+/=]+)";\n$/.exec(source)!;
  const rounded = roundedWeights(weights);
  expect(decodeWeights(base64!)).toEqual(rounded);
  const tooFar = Array.from(weights.entries()).filter(
    ([i, weight]) => !(Math.abs(rounded[i]! - weight) <= Math.abs(weight) * 2 ** -11 + 2 ** -25),
  );
  expect(tooFar).toEqual([]);
});

test("weights for another mixer are refused, with both numbers", () => {
  const source = printWeightsModule(new Float32Array(3), "Made up.");
  const [, base64] = /"([A-Za-z0-9+/=]+)";\n$/.exec(source)!;
  expect(() => decodeWeights(base64!)).toThrow(`mixer has ${mixerWeights} weights, and 3 are shipped`);
});

test("the shipped weights fit, and each caller has its own", () => {
  const mine = shippedWeights();
  expect(mine.length).toBeGreaterThan(0);
  expect(mine.length % mixerWeights).toBe(0);
  mine.fill(9);
  expect(shippedWeights()[0]).not.toBe(9);
});
