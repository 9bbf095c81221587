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
  return Math.max(fittedTo(features), floorOf(features));
}

/** What the likelihood was told by; nothing where it is no fitted one. */
export function judgedUse(features: UseFeatures): Proposal["judged"] {
  const isFitted = fittedTo(features) >= floorOf(features);
  return isFitted ? { trees: useTrees, numbers: Object.values(features) } : undefined;
}

function fittedTo(features: UseFeatures): number {
  return chanceOf(useTrees, Object.values(features));
}

function floorOf(features: UseFeatures): number {
  return isJustRenamed(features) ? shownByItself * features.fit : 0;
}

/** Just above what is shown by itself, and below it once a place was rejected. */
const shownByItself = 0.61;

/** Whether the last edit renamed a declaration of which several places are left in a file. Of one alone nobody can tell whether it is written anew. */
function isJustRenamed({ isSure, isImport, wholes, examples, since, places, rivals, outgrows }: UseFeatures): boolean {
  const isDeclaration = isSure === 1 && isImport === 0;
  return isDeclaration && wholes > 0 && examples === 1 && since === 0 && places > 1 && rivals === 0 && outgrows === 0;
}
