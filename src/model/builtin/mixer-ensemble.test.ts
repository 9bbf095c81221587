import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { placeOf } from "./builtin.laws.ts";
import { candidateFeatures, maxCandidates } from "./evidence.ts";
import { initialWeights, Mixer, MixerEnsemble, mixerWeights } from "./mixer.ts";

/** The weights of one member for each seed. */
function weightsOf(...seeds: readonly number[]): Float32Array {
  const weights = new Float32Array(seeds.length * mixerWeights);
  for (const [i, seed] of seeds.entries()) weights.set(initialWeights(seed), i * mixerWeights);
  return weights;
}

type Place = ReturnType<typeof placeOf>;

/** The probabilities of all candidates and of none of them. */
function weigh(mixer: Mixer | MixerEnsemble, { features, place, count }: Place): readonly number[] {
  mixer.weigh(features, place, count);
  return [...mixer.probabilities.subarray(0, count + 1)];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const anyPlace = fc
  .tuple(fc.oneof(fc.nat(20), fc.integer({ min: 0, max: maxCandidates })), fc.nat(400))
  .map(([count, seed]) => placeOf(count, seed));
const anySeeds = fc.array(fc.nat(400), { minLength: 1, maxLength: 4 });

describe("an ensemble of mixers", () => {
  law("give probabilities that add up to 1", [anySeeds, anyPlace], (seeds, place) => {
    const probabilities = weigh(new MixerEnsemble(weightsOf(...seeds)), place);
    expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true);
    expect(sum(probabilities)).toBeCloseTo(1, 5);
  });

  law("are one of them when there is one", [fc.nat(400), anyPlace], (seed, place) => {
    expect(weigh(new MixerEnsemble(weightsOf(seed)), place)).toEqual(weigh(new Mixer(initialWeights(seed)), place));
  });

  law("agree with one of them when they are the same", [fc.nat(400), anyPlace], (seed, place) => {
    const expected = weigh(new MixerEnsemble(weightsOf(seed)), place);
    for (const seeds of [
      [seed, seed],
      [seed, seed, seed],
    ]) {
      const probabilities = weigh(new MixerEnsemble(weightsOf(...seeds)), place);
      for (const [i, p] of probabilities.entries()) expect(p).toBeCloseTo(expected[i]!, 5);
    }
  });

  law("ask the others about the likeliest twelve only", [anySeeds, anyPlace], (seeds, place) => {
    const { count } = place;
    const first = weigh(new MixerEnsemble(weightsOf(seeds[0]!)), place);
    const all = weigh(new MixerEnsemble(weightsOf(...seeds)), place);
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => first[b]! - first[a]!);
    const [listed, others] = [order.slice(0, 12), order.slice(12)];
    // The others stay as the first member has them, and with them their order.
    expect(others.map((i) => all[i])).toEqual(others.map((i) => first[i]));
    const mass = (probabilities: readonly number[]): number => sum([...listed, count].map((i) => probabilities[i]!));
    expect(mass(all)).toBeCloseTo(mass(first), 5);
  });

  law("take the mean of their scores", [fc.nat(400), fc.nat(400), fc.nat(12), fc.nat(400)], (one, other, count, at) => {
    const place = placeOf(count, at);
    const members = [one, other].map((seed) => weigh(new Mixer(initialWeights(seed)), place));
    const means = Array.from({ length: count + 1 }, (_, i) => Math.sqrt(members[0]![i]! * members[1]![i]!));
    const probabilities = weigh(new MixerEnsemble(weightsOf(one, other)), place);
    for (const [i, p] of probabilities.entries()) expect(p).toBeCloseTo(means[i]! / sum(means), 4);
  });

  law(
    "follow the candidates when these change places",
    [fc.nat(400), fc.integer({ min: 1, max: maxCandidates })],
    (seed, count) => {
      const straight = placeOf(count, seed);
      const one = (i: number): number[] => [
        ...straight.features.subarray(i * candidateFeatures, (i + 1) * candidateFeatures),
      ];
      const backwards = Array.from({ length: count }, (_, i) => count - 1 - i);
      const ensemble = new MixerEnsemble(weightsOf(1, 2));
      const expected = weigh(ensemble, straight);
      const turned = weigh(ensemble, { ...straight, features: Float32Array.from(backwards.flatMap(one)) });
      for (const [at, from] of [...backwards, count].entries()) expect(turned[at]).toBeCloseTo(expected[from]!, 5);
    },
  );
});

describe("a learning ensemble of mixers", () => {
  const anyTruth = fc.tuple(fc.integer({ min: 1, max: maxCandidates }), fc.nat(), fc.nat(400));

  law(
    "makes what came less surprising",
    [anyTruth, fc.constantFrom([1], [1, 2], [3, 4, 5])],
    ([count, chosen, seed], seeds) => {
      const { features, place } = placeOf(count, seed);
      const truth = chosen % (count + 1);
      const ensemble = new MixerEnsemble(weightsOf(...seeds));
      const [, ...expected] = [0, -Math.log(weigh(ensemble, { features, place, count })[truth]!)];
      const losses = Array.from({ length: 10 }, () => ensemble.learn(features, place, count, truth, 0.002));
      expect(losses[0]).toBeCloseTo(expected[0]!, 5);
      expect(losses.at(-1)).toBeLessThan(losses[0]!);
    },
  );

  it("changes every member but not the given weights", () => {
    const weights = weightsOf(1, 2, 3);
    const { features, place, count } = placeOf(20, 7);
    const ensemble = new MixerEnsemble(weights);
    ensemble.learn(features, place, count, 3, 0.01);
    const alone = [1, 2, 3].map((seed) => {
      const member = new Mixer(initialWeights(seed));
      member.weigh(features, place, count);
      member.learn(features, place, count, 3, 0.01);
      return [...member.weights];
    });
    const expected = weigh(new MixerEnsemble(Float32Array.from(alone.flat())), { features, place, count });
    const moved = weigh(ensemble, { features, place, count });
    for (const [i, p] of moved.entries()) expect(p).toBeCloseTo(expected[i]!, 5);
    expect(moved[3]).toBeGreaterThan(weigh(new MixerEnsemble(weights), { features, place, count })[3]!);
    expect(weights).toEqual(weightsOf(1, 2, 3));
  });
});

describe("ensemble weights of another length", () => {
  it.each([0, 1, mixerWeights - 1, mixerWeights + 1, 2 * mixerWeights - 1])("are refused: %i", (length) => {
    expect(() => new MixerEnsemble(new Float32Array(length))).toThrow(`and ${length} are no multiple of that`);
  });
});
