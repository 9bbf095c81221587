import type { BoundaryTraits, TraitName } from "./boundary-traits.ts";

/**
 * The weight of each feature of a candidate, in natural logarithms of odds.
 *
 * Fitted by `bench/boundary/fit-weights.ts` to 3,600 mistakes injected into real edits of eight
 * public repositories in TypeScript, JavaScript, Python, Rust, Java and Ruby. The held-out figures
 * in `bench/README.md` are measured on other repositories.
 */
export const boundaryWeights: Readonly<Record<TraitName, number>> = {
  likeness: 1,
  reuse: 0.95,
  removal: -1.14,
  edgeLikeness: 2.06,
  edgeIndentation: 0.8,
  edgeBlankness: -2.35,
  habit: 0.51,
  jump: -1.47,
  echoLeft: -0.71,
  echoResolved: 5.63,
  twoCauses: -3.39,
  needlessMove: -4.01,
  shift: -0.99,
  far: -5.18,
  insertion: -1.07,
  neighbourLikeness: -0.48,
};

/** The score of a candidate; only differences between candidates of one change are meaningful. */
export function boundaryScore(traits: BoundaryTraits): number {
  let score = 0;
  for (const name of Object.keys(boundaryWeights) as TraitName[]) score += boundaryWeights[name] * traits[name];
  return score;
}
