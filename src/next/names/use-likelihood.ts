import { chanceOf } from "../boosted-trees.ts";
import type { UseFeatures } from "./use-features.ts";
import { useTrees } from "./use-trees.ts";

/**
 * How likely a place of a rename becomes just that, from 0 to 1.
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits that were gone through in the order of their diffs. Most of those change more than
 * a name; who has just renamed what is declared, and done nothing else, is on the way through its uses.
 */
export function useLikelihood(features: UseFeatures): number {
  const fitted = chanceOf(useTrees, Object.values(features));
  const { isSure, wholes, since, examples } = features;
  const isOnItsWay = isSure === 1 || examples > 2;
  return isOnItsWay && wholes > 0 && since === 0 ? Math.max(fitted, ofFresh(features)) : fitted;
}

/** By the same commits, of what was renamed by the last edit: where one place is left, it is often written anew; where many are, few are. */
function ofFresh({ examples, places, fit, rivals, outgrows }: UseFeatures): number {
  const followed = examples > 2 ? 0.75 : examples > 1 ? 0.64 : places > 2 ? 0.64 : places > 1 ? 0.51 : 0.46;
  return followed * fit * (rivals > 0 ? 0.6 : 1) * (outgrows > 0 ? 0.5 : 1);
}
