import { chanceOf } from "../boosted-trees.ts";
import type { UseFeatures } from "./use-features.ts";
import { useTrees } from "./use-trees.ts";

/**
 * How likely a place of a rename becomes just that, from 0 to 1.
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits that were gone through in the order of their diffs. Most of those change more than
 * a name: after a declaration alone, one place that is left is not likely enough to be shown by itself.
 */
export function useLikelihood(features: UseFeatures): number {
  return chanceOf(useTrees, Object.values(features));
}
