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

const bias = -3.99;

const weights: Readonly<Record<string, number>> = {
  age: -0.91,
  equal: 0.37,
  equalWords: -0.09,
  fixedLength: 1.29,
  fixedLetters: -1.08,
  fixedWords: 1.81,
  hasLines: -0.06,
  hops: 0.24,
  insertionEqual: 0.94,
  insertionLines: -0.17,
  insertionNear: -0.36,
  isAbove: -2.05,
  isClosed: -0.25,
  isDeletion: -1.46,
  isExampleFile: -0.91,
  isInsertion: -0.49,
  isLeft: -1.29,
  isLineAlike: -0.85,
  isLineEqual: 1.09,
  isNumber: 0.49,
  isOneWord: -0.23,
  isOther: -1.53,
  isSameEnding: -0.41,
  isSameName: 0.55,
  isWhole: 2.49,
  lineEqualLone: -0.92,
  lines: -0.73,
  near: 0.93,
  nearLeast: 0.32,
  nearLeft: 2.20,
  nearRight: 0.91,
  nearWords: 0.27,
  newLength: -0.89,
  otherHoles: -0.68,
  otherHolesAlone: 0.52,
  others: -1.37,
  renamed: -0.52,
  sites: -0.28,
  sitesLone: -0.76,
  skipped: -0.15,
  skippedShare: 0.07,
  streak: 1.73,
  support: 0.77,
  supportSkipped: 0.07,
  supported: -0.87,
};
