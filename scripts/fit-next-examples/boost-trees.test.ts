import fc from "fast-check";
import { expect, test } from "vitest";
import { chanceOf } from "../../src/next/providers/boosted-trees.ts";
import { seededRandom } from "../train/seeded-random.ts";
import { type Answers, boostTrees, defaultBoostOptions } from "./boost-trees.ts";

const options = { ...defaultBoostOptions, rounds: 60, rate: 0.2, ridge: 5, leastLeaf: 4, rowShare: 1, featureShare: 1 };

/**
 * Answers to numbers from 0 to 1, with a third that has no effect; the chance of a yes is that of
 * `chance`.
 */
function drawn(count: number, chance: (one: number, other: number) => number): Answers {
  const random = seededRandom(7);
  const rows = Array.from({ length: count }, () => [random(), random(), random()]);
  const labels = rows.map(([one, other]) => Number(random() < chance(one!, other!)));
  return { names: ["one", "other", "noise"], rows, labels, weights: rows.map(() => 1) };
}

test("what two numbers say only together is found, and how likely it is", () => {
  const chance = (one: number, other: number) => (one > 0.5 === other > 0.5 ? 0.9 : 0.2);
  const trees = boostTrees(drawn(4_000, chance), options);
  for (const one of [0.2, 0.8]) {
    for (const other of [0.3, 0.7]) {
      expect(chanceOf(trees, [one, other, 0.5])).toBeCloseTo(chance(one, other), 0);
      expect(Math.abs(chanceOf(trees, [one, other, 0.5]) - chance(one, other))).toBeLessThan(0.12);
    }
  }
});

test("a number without effect changes little", () => {
  const trees = boostTrees(
    drawn(4_000, (one) => (one > 0.3 ? 0.8 : 0.1)),
    options,
  );
  const all = [0.1, 0.5, 0.9].map((noise) => chanceOf(trees, [0.7, 0.5, noise]));
  expect(Math.max(...all) - Math.min(...all)).toBeLessThan(0.15);
});

test("a weight of two is the row twice", () => {
  const single = drawn(300, (one) => one);
  const twice = { ...single, weights: single.rows.map(() => 2) };
  const doubled = {
    ...single,
    rows: [...single.rows, ...single.rows],
    labels: [...single.labels, ...single.labels],
    weights: [...single.weights, ...single.weights],
  };
  const [one, other] = [boostTrees(twice, options), boostTrees(doubled, options)];
  for (const row of single.rows.slice(0, 20)) {
    expect(chanceOf(one, row)).toBeCloseTo(chanceOf(other, row), 1);
  }
});

test("the same answers give the same trees, and all chances are between 0 and 1", () => {
  const row = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, min: -1e6, max: 1e6 }));
  fc.assert(
    fc.property(fc.array(fc.tuple(row, fc.nat(1)), { minLength: 1, maxLength: 60 }), (drawnRows) => {
      const answers = {
        names: ["a", "b"],
        rows: drawnRows.map(([one]) => one),
        labels: drawnRows.map(([, label]) => label),
        weights: drawnRows.map(() => 1),
      };
      const few = { ...options, rounds: 5, rowShare: 0.7 };
      const trees = boostTrees(answers, few);
      expect(boostTrees(answers, few)).toEqual(trees);
      for (const row of answers.rows) {
        const chance = chanceOf(trees, row);
        expect(chance > 0 && chance < 1).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});
