import type { BoundaryTraits, TraitName } from "./boundary-traits.ts";

/** How much each trait of a candidate speaks for it, in natural logarithms of odds. */
export const boundaryWeights: Readonly<Record<TraitName, number>> = {
  likeness: 1.33,
  reuse: 0.98,
  removal: -0.88,
  edgeLikeness: 1.65,
  edgeIndentation: 0.68,
  edgeBlankness: -1.88,
  habit: 0.45,
  jump: -1.13,
  echoLeft: -2.09,
  echoLeftOut: 4.11,
  twoCauses: -2.84,
  needlessMove: -3.98,
  shift: -0.15,
  far: -3.68,
};

/** How much speaks for a candidate; only differences between candidates of one change mean something. */
export function boundaryScore(traits: BoundaryTraits): number {
  let score = 0;
  for (const name of Object.keys(boundaryWeights) as TraitName[]) score += boundaryWeights[name] * traits[name];
  return score;
}
