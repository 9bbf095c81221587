import type { SiteFeature } from "./site-features.ts";

/**
 * How likely a place, in numbers of `siteFeatures`, is written anew just so, from 0 to 1.
 *
 * Source: gradient boosting, Friedman 2001, of trees of two questions, fitted to hunks of recorded commits that were gone through in the order of their diffs.
 */
export function likelihoodOf(features: Readonly<Record<SiteFeature, number>>): number {
  let sum = bias;
  for (const tree of trees) sum += answer(tree, features);
  return 1 / (1 + Math.exp(-sum));
}

/** What speaks for a place, or a question: whether a feature is above a number, what is said if not, and what if so. */
type Tree = number | readonly [feature: SiteFeature, above: number, ifNot: Tree, ifSo: Tree];

function answer(tree: Tree, features: Readonly<Record<SiteFeature, number>>): number {
  if (typeof tree === "number") return tree;
  const [feature, above, ifNot, ifSo] = tree;
  return answer(features[feature] > above ? ifSo : ifNot, features);
}

const bias = -1.204;

const trees: readonly Tree[] = [
  ["others", 0, ["isWhole", 0, -0.115, 0.686], ["asAlike", 0.234, -0.19, 0.167]],
  ["near", 0.7, ["fixedWords", 0.5, -0.212, 0.257], ["streak", 0.2, 0.01, 0.466]],
  ["nearLeft", 0.6, ["fixedWords", 0.5, -0.198, 0.175], ["fixedLength", 0.2018, -0.014, 0.308]],
  ["near", 0.7, ["fixedWords", 0.25, -0.194, 0.082], ["streak", 0.2, -0.006, 0.28]],
  ["nearWords", 0.75, ["isSameAgain", 0, -0.141, 0.208], ["fixedLength", 0.2018, -0.023, 0.254]],
  ["nearLeft", 0.6, ["fixedLetters", 0.8074, -0.17, 0.118], ["isWhole", 0, -0.163, 0.167]],
  ["streak", 0.4, ["nearLeft", 0.4, -0.168, 0.004], ["lineOthers", 0.1667, 0.231, -0.078]],
  ["fixedLength", 0.2018, ["others", 0, 0.129, -0.154], ["isWhole", 0, -0.127, 0.173]],
  ["streak", 0.4, ["nearLeast", 0.25, -0.138, 0.013], ["lineOthers", 0, 0.207, -0.016]],
  ["fixedLength", 0.2018, ["others", 0, 0.095, -0.134], ["isWhole", 0, -0.108, 0.137]],
  ["nearWords", 0.75, ["lineShare", 0.5, -0.167, -0.031], ["support", 0.3333, -0, 0.181]],
  ["fixedLength", 0.2018, ["others", 0, 0.069, -0.117], ["isWhole", 0, -0.089, 0.111]],
  ["isLeft", 0, ["nearLeft", 0.6, -0.077, 0.069], -0.254],
  ["newLength", 0.6055, ["isWhole", 0, -0.103, 0.096], ["asAlike", 0.9286, -0.131, 0.072]],
  ["isAbove", 0, ["insertionEqual", 0, 0.059, -0.08], -0.269],
  ["isLeft", 0, ["isAbove", 0, 0.027, -0.251], -0.241],
  ["nearWords", 0.25, ["fixedLetters", 0.3199, -0.167, -0.012], ["isNumber", 0, 0.002, 0.219]],
  ["fixedLength", 0.9255, ["isSameName", 0, -0.047, 0.129], ["newLength", 0.6055, 0.177, -0.142]],
  ["isLeft", 0, ["isWhole", 0, -0.094, 0.043], -0.228],
  ["newLength", 0.9131, ["isAbove", 0, 0.031, -0.239], ["isSameEnding", 0, 0.037, -0.18]],
  ["support", 0.3333, ["isNumber", 0, -0.057, 0.11], ["equalWords", 0.375, -0.03, 0.14]],
  ["isLeft", 0, ["nearLeft", 0.2, -0.084, 0.039], -0.216],
  ["isAbove", 0, ["sites", 0.8866, 0.025, -0.134], -0.226],
  ["isSameAgain", 0, ["nearLeast", 0, -0.106, 0.005], ["sites", 0.8866, 0.175, -0.12]],
  ["isLeft", 0, ["isWhole", 0, -0.079, 0.033], -0.205],
  ["newLength", 0.9131, ["isAbove", 0, 0.024, -0.212], ["isSameEnding", 0, 0.037, -0.164]],
  ["lineShare", 0.5, ["insertionEqual", 0.5, -0.132, 0.077], ["insertionEqual", 0, 0.051, -0.061]],
  ["isLeft", 0, ["isAbove", 0, 0.015, -0.202], -0.197],
  ["fixedLetters", 0.8074, ["isWhole", 0, -0.1, 0.004], ["lines", 0, -0.018, 0.192]],
  ["newLength", 0, ["equalWords", 0.25, 0.008, -0.269], ["newLength", 0.6055, 0.043, -0.065]],
  ["isOther", 0, ["sites", 0.6705, 0.092, -0.098], ["nearLeast", 0.5, -0.143, 0.027]],
  ["streak", 0.4, ["lineShare", 0.5, -0.106, -0.004], ["sites", 0.8866, 0.098, -0.128]],
  ["isAbove", 0, ["lines", 0, -0.038, 0.044], -0.193],
  ["isLeft", 0, ["isWhole", 0, -0.067, 0.025], -0.184],
  ["isWordRight", 0, ["support", 0.6667, -0.005, 0.097], ["sites", 0.6705, -0.019, -0.197]],
  ["isAbove", 0, ["newLength", 0.9131, 0.017, -0.099], -0.184],
  ["nearLeft", 0.2, ["fixedLetters", 0.3199, -0.13, 0.008], ["isNumber", 0, -0.007, 0.158]],
  ["isLeft", 0, ["isAbove", 0, 0.011, -0.175], -0.176],
  ["isWhole", 0, ["equalWords", 0.25, 0.032, -0.134], ["isOther", 0, 0.063, -0.035]],
  ["newLength", 0, ["equalWords", 0.25, 0.012, -0.207], ["others", 0, 0.086, -0.016]],
  ["fixedLetters", 0.8074, ["equalWords", 0.125, -0.094, 0.003], ["newLength", 0.6055, 0.114, -0.127]],
  ["isLeft", 0, ["isAbove", 0, 0.01, -0.169], -0.167],
  ["insertionLines", 0, ["sites", 0.7469, 0.028, -0.091], ["lineOthers", 0, 0, -0.19]],
  ["isOther", 0, ["sites", 0.6705, 0.062, -0.07], ["isNumber", 0, -0.069, 0.14]],
  ["near", 0.2, ["fixedLetters", 0.3199, -0.163, 0.001], ["equalWords", 0.25, 0.073, -0.01]],
  ["others", 0.375, ["isWordRight", 0, 0.031, -0.067], ["equalWords", 0.5, -0.007, -0.166]],
  ["isWhole", 0, ["near", 0.5, 0.044, -0.115], ["near", 0.7, -0.053, 0.045]],
  ["isDeletion", 0, ["newLength", 0.6055, 0.03, -0.044], ["others", 0, -0.264, -0.027]],
  ["isAbove", 0, ["isOther", 0, 0.03, -0.028], -0.16],
  ["isLeft", 0, ["nearLeft", 0.2, -0.051, 0.017], -0.155],
  ["age", 0, ["newLength", 0.9131, 0.045, -0.167], ["nearLeast", 0, -0.141, -0.004]],
  ["isWhole", 0, ["isNumber", 0, -0.083, 0.109], ["isOther", 0, 0.048, -0.026]],
  ["isAbove", 0, ["others", 0.625, 0.01, -0.084], -0.155],
  ["newLength", 0, ["asAlike", 0.9286, 0.024, -0.17], ["others", 0, 0.066, -0.012]],
  ["newLength", 0.9131, ["age", 0, 0.038, -0.023], ["isSameEnding", 0, 0.091, -0.127]],
  ["isLeft", 0, ["isAbove", 0, 0.007, -0.145], -0.145],
  ["fixedLetters", 0.8074, ["isSameName", 0, -0.023, 0.083], ["sitesSupported", 0.3199, -0.006, 0.197]],
  ["newLength", 0, ["lineOthers", 0, -0.143, 0.028], ["skippedFixed", 0, 0.015, -0.102]],
  ["newLength", 0.6055, ["newLength", 0.5667, -0.012, 0.187], ["lines", 0, -0.095, 0.008]],
  ["insertionLines", 0, ["lineShare", 0.5, -0.066, 0.023], ["lineOthers", 0, 0.003, -0.18]],
];
