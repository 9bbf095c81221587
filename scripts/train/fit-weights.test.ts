import { expect, test } from "vitest";
import { candidateFeatures, maxCandidates, placeFeatures } from "../../src/model/builtin/evidence.ts";
import { initialWeights } from "../../src/model/builtin/mixer.ts";
import { evaluate, type FitFigures, fitWeights } from "./fit-weights.ts";
import { Rows } from "./rows.ts";
import { seededRandom } from "./seeded-random.ts";

/**
 * Rows in which the right candidate is the one with the largest first feature, or none if that is
 * small.
 */
function easyRows(count: number, seed: number): Rows {
  const random = seededRandom(seed);
  const rows = new Rows();
  for (let row = 0; row < count; row++) {
    const features = new Float32Array(maxCandidates * candidateFeatures);
    const first = Array.from({ length: 4 }, () => random());
    for (const [i, value] of first.entries()) features[i * candidateFeatures] = value;
    const best = Math.max(...first);
    rows.push(
      { count: 4, features, place: new Float32Array(placeFeatures).fill(1, 0, 1) },
      best < 0.5 ? 4 : first.indexOf(best),
    );
  }
  return rows;
}

const options = { epochs: 4, batch: 16, learningRate: 0.01, weightDecay: 0.01, warmUp: 10, seed: 1 };

test("learns what is to be learnt, and as well for rows it has not seen", () => {
  const epochs: FitFigures[] = [];
  const weights = fitWeights(easyRows(2000, 1), { ...options, onEpoch: (_, figures) => epochs.push(figures) });
  expect(epochs).toHaveLength(4);
  expect(epochs[3]!.bits).toBeLessThan(epochs[0]!.bits);
  const unseen = easyRows(500, 2);
  const [before, after] = [evaluate(unseen, initialWeights(1)), evaluate(unseen, weights)];
  expect(after.bits).toBeLessThan(before.bits * 0.6);
  expect(after.hits).toBeGreaterThan(0.7);
});

test("the same rows and seed give the same weights", () => {
  const fitOnce = (seed: number) => fitWeights(easyRows(100, 1), { ...options, epochs: 1, seed });
  expect(fitOnce(1)).toEqual(fitOnce(1));
  expect(fitOnce(1)).not.toEqual(fitOnce(2));
});

test("evaluate returns no figures without rows", () => {
  expect(evaluate(new Rows(), initialWeights(1))).toEqual({ bits: 0, hits: 0 });
});
