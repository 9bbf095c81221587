/**
 * How likely a place, in numbers of `siteFeatures`, is rewritten just so, from 0 to 1.
 *
 * Source: logistic regression over the hunks of recorded commits, each given in the order of its diff.
 */
export function likelihoodOf(features: Readonly<Record<string, number>>): number {
  let sum = bias;
  for (const [name, value] of Object.entries(features)) sum += (weights[name] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}

const bias = -3.90;

const weights: Readonly<Record<string, number>> = {
  age: -0.54,
  equal: -0.51,
  equalWords: 0.28,
  fixedLength: 1.58,
  fixedLetters: -0.48,
  fixedWords: 0.49,
  hasLines: -1.10,
  hops: 0.42,
  insertionEqual: 0.81,
  insertionLines: 0.40,
  insertionNear: -0.35,
  isAbove: -1.97,
  isClosed: 0.33,
  isDeletion: -0.21,
  isExampleFile: -0.91,
  isInsertion: -0.01,
  isLeft: -1.87,
  isLineAlike: -0.71,
  isLineEqual: 0.55,
  isNumber: 0.82,
  isOneWord: -0.45,
  isOther: -1.55,
  isSameEnding: 0.75,
  isSameName: 0.69,
  isWhole: 1.41,
  lineEqualLone: -0.10,
  lines: -0.13,
  near: 1.06,
  nearLeast: 0.62,
  nearLeft: 1.06,
  nearRight: 1.17,
  nearWords: 0.72,
  newLength: -0.71,
  otherHoles: -0.11,
  otherHolesAlone: 0.83,
  others: -1.40,
  renamed: -0.65,
  sites: -1.25,
  sitesLone: -0.50,
  skipped: -0.25,
  skippedShare: -0.65,
  streak: 1.10,
  support: 1.20,
  supportSkipped: -0.20,
  supported: 0.09,
};
