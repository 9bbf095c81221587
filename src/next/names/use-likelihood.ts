import { chanceOf } from "../boosted-trees.ts";
import type { Proposal } from "../next-edit-source.ts";
import type { UseFeatures } from "./use-features.ts";
import { useTrees } from "./use-trees.ts";

/**
 * How likely a place of a rename becomes just that, from 0 to 1.
 *
 * `scripts/fit-next-examples.ts` fits the trees to hunks of recorded commits that were gone through in the order of their diffs. Most of those change more than
 * a name; who has just renamed what is declared, and done nothing else, is on the way through its uses, and is shown them by itself.
 */
export function useLikelihood(features: UseFeatures): number {
  return judgedUse(features).likelihood;
}

/** How likely it is, and what that was told by; nothing where it is no fitted one. */
export function judgedUse(features: UseFeatures): Pick<Proposal, "likelihood" | "judged"> {
  const numbers = Object.values(features);
  const [fitted, floor] = [chanceOf(useTrees, numbers), floorOf(features)];
  return fitted >= floor ? { likelihood: fitted, judged: { trees: useTrees, numbers } } : { likelihood: floor };
}

function floorOf(features: UseFeatures): number {
  if (!isLeftBehind(features)) return 0;
  return features.fit * (isJustRenamed(features) ? shownByItself : toldToWhoeverAsks);
}

/** Just above what is shown by itself, and below it once a place was rejected. */
const shownByItself = 0.61;
/** What the old name meant is gone, so that something has to change; mostly more than the name. */
const toldToWhoeverAsks = 0.12;

/** Whether the last edit gave a declaration another name, and no other one could be meant. */
function isLeftBehind({ isSure, isImport, since, rivals }: UseFeatures): boolean {
  return isSure === 1 && isImport === 0 && since === 0 && rivals === 0;
}

/** Whether the last edit did nothing else, and several places are left in a file. Of one alone nobody can tell whether it is written anew. */
function isJustRenamed({ wholes, examples, places, outgrows }: UseFeatures): boolean {
  return wholes > 0 && examples === 1 && places > 1 && outgrows === 0;
}
