import { expect, test } from "vitest";
import { type BoostedTrees, chanceOf } from "./boosted-trees.ts";

const trees: BoostedTrees = {
  features: ["age", "near"],
  bias: -1,
  trees: [
    [0, 2.5, 0.5, [1, 0, -2, 3]],
    [1, 4, 0, 0.25],
  ],
};

const answers: readonly (readonly [what: string, values: readonly number[], logOdds: number])[] = [
  ["a value up to the threshold takes the first branch", [2, 0], -1 + 0.5],
  ["a value equal to the threshold takes the first branch", [2.5, 0], -1 + 0.5],
  ["a nested split is evaluated", [3, 1], -1 + 3],
  ["the leaves of both trees are added", [3, 5], -1 + 3 + 0.25],
];

test.each(answers)("adds the bias and one leaf of each tree: %s", (_, values, logOdds) => {
  expect(chanceOf(trees, values)).toBeCloseTo(1 / (1 + Math.exp(-logOdds)), 12);
});
