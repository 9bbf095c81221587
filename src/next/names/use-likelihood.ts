import type { UseFeatures } from "./use-features.ts";

/**
 * How likely a place of a rename becomes just that, from 0 to 1.
 *
 * The weights are those of real commits: a name that alone was changed is a rename; where more was changed around it, often something else
 * took its place. Where one place is left, it is often written anew; where many are, few are.
 */
export function useLikelihood(features: UseFeatures): number {
  const { examples, wholes, kept, since, isMoved, rivals, isSure, isHabit, places, fit, outgrows } = features;
  const followed = examples > 2 ? 0.9 : examples > 1 ? 0.8 : places > 2 ? 0.8 : places > 1 ? 0.62 : 0.54;
  const about = wholes > 0 ? 1 : kept > 0.95 ? 0.75 : kept > 0.75 ? 0.5 : 0.15;
  const base = isSure || isHabit ? followed * about : (unsure(features) + 0.15 * Math.min(3, examples - 1)) * about;
  // What is asked for from elsewhere, under another name, may be another thing.
  const doubt = (isMoved && wholes === 0 ? 0.6 : 1) * (rivals > 0 ? 0.5 : 1);
  // What no longer means anything has to be changed some time; a guess that was not followed was none.
  const stale = examples > 2 ? 1 : (isSure && wholes > 0 ? 0.96 : 0.75) ** Math.min(5, since);
  const said = fit * base * doubt * stale * (outgrows ? 0.4 : 1);
  return 1 / (1 + Math.exp(-calibration.intercept) * ((1 - said) / said) ** calibration.slope);
}

/** How the log-odds have to be bent to be those of real commits: `scripts/fit-next-examples.ts` prints what is to be added to it. */
const calibration = { intercept: -0.25, slope: 0.6 };

function unsure({ isAnew, isMended, isUsed }: UseFeatures): number {
  return isAnew || isMended ? 0.45 : isUsed ? 0.3 : 0.15;
}
