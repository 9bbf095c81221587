import type { BoundaryTraits, TraitName } from "./boundary-traits.ts";

/**
 * How much each trait of a candidate speaks for it, in natural logarithms of odds.
 *
 * Fitted by `bench/boundary/fit-weights.ts` to 3,600 mistakes that were injected into real edits of eight public
 * repositories in TypeScript, JavaScript, Python, Rust, Java and Ruby. The figures in `docs/benchmarks.md` are of others.
 */
export const boundaryWeights: Readonly<Record<TraitName, number>> = {
  likeness: 0.83,
  reuse: 0.73,
  removal: -0.8,
  edgeLikeness: 2.38,
  edgeIndentation: 0.62,
  edgeBlankness: -2.02,
  habit: 0.49,
  jump: -1.22,
  echoLeft: -1.13,
  echoLeftOut: 5.16,
  twoCauses: -3.28,
  needlessMove: -4.63,
  shift: -0.18,
  far: -4.49,
};

/** How much speaks for a candidate; only differences between candidates of one change mean something. */
export function boundaryScore(traits: BoundaryTraits): number {
  let score = 0;
  for (const name of Object.keys(boundaryWeights) as TraitName[]) score += boundaryWeights[name] * traits[name];
  return score;
}
