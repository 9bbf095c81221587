import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { placeOf } from "./builtin.laws.ts";
import { candidateFeatures, maxCandidates } from "./evidence.ts";
import { initialWeights, Mixer, mixerWeights } from "./mixer.ts";

const anyCount = fc.integer({ min: 0, max: maxCandidates });
const anySeed = fc.nat(400);

describe("probabilities of a mixer", () => {
  law("add up to 1", [anyCount, anySeed], (count, seed) => {
    const mixer = new Mixer(initialWeights(seed));
    const { features, place } = placeOf(count, seed);
    mixer.weigh(features, place, count);
    const probabilities = [...mixer.probabilities.subarray(0, count + 1)];
    expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
    expect(probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
  });

  law("follow the candidates when these change places", [anySeed], (seed) => {
    const mixer = new Mixer(initialWeights(1));
    const { features, place, count } = placeOf(4, seed);
    const weigh = (order: readonly number[]): number[] => {
      const one = (i: number): number[] => [...features.subarray(i * candidateFeatures, (i + 1) * candidateFeatures)];
      mixer.weigh(Float32Array.from(order.flatMap(one)), place, count);
      return [...mixer.probabilities.subarray(0, count + 1)];
    };
    const straight = weigh([0, 1, 2, 3]);
    const turned = weigh([3, 1, 0, 2]);
    for (const [at, from] of [3, 1, 0, 2, 4].entries()) expect(turned[at]).toBeCloseTo(straight[from]!, 5);
  });

  it("are computed from the given range of features", () => {
    const mixer = new Mixer(initialWeights(1));
    const { features, place, count } = placeOf(3, 7);
    mixer.weigh(features, place, count);
    const expected = [...mixer.probabilities.subarray(0, count + 1)];
    const moved =
      <T extends number[]>(...before: T) =>
      (table: Float32Array) =>
        Float32Array.of(...before, ...table);
    mixer.weigh(moved(9, 9)(features), moved(8)(place), count, 2, 1);
    expect([...mixer.probabilities.subarray(0, count + 1)]).toEqual(expected);
  });

  it("stay finite when the weights are large", () => {
    const mixer = new Mixer(initialWeights(1).map((weight) => weight * 1000));
    const { features, place, count } = placeOf(5, 3);
    mixer.weigh(features, place, count);
    expect([...mixer.probabilities.subarray(0, count + 1)].every((p) => p >= 0 && p <= 1)).toBe(true);
  });
});

describe("a learning mixer", () => {
  law(
    "goes down the gradient, as finite differences see it",
    [fc.integer({ min: 0, max: 6 }), anySeed],
    (count, seed) => {
      const truth = seed % (count + 1);
      const weights = initialWeights(seed + 1);
      const { features, place } = placeOf(count, seed);
      const lossOf = (changed: Float32Array): number => {
        const mixer = new Mixer(changed);
        mixer.weigh(features, place, count);
        return mixer.accumulate(new Float32Array(mixerWeights), features, place, count, truth);
      };
      const gradient = new Float32Array(mixerWeights);
      const mixer = new Mixer(weights);
      mixer.weigh(features, place, count);
      const loss = mixer.accumulate(gradient, features, place, count, truth);
      expect(loss).toBeCloseTo(-Math.log(mixer.probabilities[truth]!), 5);

      // Some weights at a time, so that none hides behind the others: those at the end, a layer,
      // all of them.
      for (const from of [-candidateFeatures - 150, -candidateFeatures - 100, -candidateFeatures - 50, -9999, 0]) {
        const first = (from + mixerWeights) % mixerWeights;
        const direction = gradient.map((slope, i) => (i < first ? 0 : slope + 0.1 * Math.sin(i)));
        const length = Math.sqrt(dot(direction, direction));
        // So small that hardly a hidden unit passes its bend on the way.
        const step = 2e-5 / (length || 1);
        const moved = (by: number): Float32Array => weights.map((weight, i) => weight + by * direction[i]!);
        const slope = (lossOf(moved(step)) - lossOf(moved(-step))) / (2 * step * length || 1);
        const expected = dot(gradient, direction) / (length || 1);
        expect(Math.abs(slope - expected)).toBeLessThan(0.03 + 0.03 * Math.abs(expected));
      }
    },
  );

  it("adds to the given gradient", () => {
    const mixer = new Mixer(initialWeights(1));
    const { features, place, count } = placeOf(3, 5);
    const once = new Float32Array(mixerWeights);
    const twice = new Float32Array(mixerWeights);
    for (const gradient of [once, twice, twice]) {
      mixer.weigh(features, place, count);
      mixer.accumulate(gradient, features, place, count, 1);
    }
    expect(Math.max(...twice.map((value, i) => Math.abs(value - 2 * once[i]!)))).toBeLessThan(1e-5);
  });

  it("gives the highest weight to the reliable feature", () => {
    const mixer = new Mixer(initialWeights(1));
    const losses = Array.from({ length: 300 }, (_, i) => {
      const { features, place, count } = placeOf(4, i);
      const truth = (i * 7) % 4;
      // The fourth number of a candidate is 1 for the right one.
      for (let c = 0; c < count; c++) features[c * candidateFeatures + 3] = c === truth ? 1 : 0;
      mixer.weigh(features, place, count);
      return mixer.learn(features, place, count, truth, 0.02);
    });
    const mean = (some: readonly number[]): number => some.reduce((a, b) => a + b) / some.length;
    expect(mean(losses.slice(-50))).toBeLessThan(mean(losses.slice(0, 50)) / 2);
  });
});

describe("initial weights of a mixer", () => {
  it("are the same for the same seed only", () => {
    expect(initialWeights(1)).toEqual(initialWeights(1));
    expect(initialWeights(1)).not.toEqual(initialWeights(2));
    expect(initialWeights(1)).toHaveLength(mixerWeights);
  });
});

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
