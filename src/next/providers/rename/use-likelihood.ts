import { chanceOf } from "../boosted-trees.ts";
import type { Proposal } from "../next-edit-provider.ts";
import type { UseFeatures } from "./use-features.ts";
import { useTrees } from "./use-trees.ts";

/**
 * Returns the likelihood that exactly this edit is made at a place of a rename, in [0, 1].
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits, replayed in the order
 * of their diffs. Most of these change more than a name, so a floor applies: a person who has just
 * renamed a declaration and changed nothing else will rename its uses, and sees them without a
 * request.
 */
export function useLikelihood(features: UseFeatures): number {
  return judgedUse(features).likelihood;
}

/**
 * Returns the likelihood, with the trees and features behind it where the trees decided and not the
 * floor.
 */
export function judgedUse(features: UseFeatures): Pick<Proposal, "likelihood" | "judged"> {
  const numbers = Object.values(features);
  const [fitted, floor] = [chanceOf(useTrees, numbers), floorOf(features)];
  return fitted >= floor ? { likelihood: fitted, judged: { trees: useTrees, numbers } } : { likelihood: floor };
}

function floorOf(features: UseFeatures): number {
  if (!isLeftBehind(features)) return 0;
  return features.fit * (isJustRenamed(features) ? shownUnrequested : shownOnRequest);
}

/**
 * Just above the threshold for showing a suggestion without a request, and below it after a
 * rejection.
 */
const shownUnrequested = 0.61;
/**
 * The old name no longer resolves, so that the place must change, but mostly more than the name.
 * Below the threshold, so that only an explicit request shows it.
 */
const shownOnRequest = 0.12;

/** Whether the last edit renamed a declaration, without another candidate. */
function isLeftBehind({ isSure, isImport, since, rivals }: UseFeatures): boolean {
  return isSure === 1 && isImport === 0 && since === 0 && rivals === 0;
}

/**
 * Whether the last edit did nothing else, and a file has several places left. A single one may be
 * about to be rewritten.
 */
function isJustRenamed({ wholes, examples, places, outgrows }: UseFeatures): boolean {
  return wholes > 0 && examples === 1 && places > 1 && outgrows === 0;
}
