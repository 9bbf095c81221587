import { distance } from "fastest-levenshtein";
import { sharedItems } from "../../src/text/index.ts";
import { mean } from "../percentile.ts";

/** How one prediction compares with the truth; all from 0 to 1. */
export interface LineScore {
  /** 1 when both are the same, white space at their ends aside. */
  readonly exact: number;
  /** 1 less the edits between both, as a share of the longer one. */
  readonly similarity: number;
  /** 1 when both have the same names in the same order. */
  readonly namesExact: number;
  /** The harmonic mean of precision and recall of the names, each as often as it is there. */
  readonly namesF1: number;
}

/** Compares a prediction with the truth. */
export function scoreLine(predicted: string, truth: string): LineScore {
  const [mine, right] = [predicted.trimEnd(), truth.trimEnd()];
  const [myNames, rightNames] = [namesIn(mine), namesIn(right)];
  return {
    exact: mine === right ? 1 : 0,
    similarity: editSimilarity(mine, right),
    namesExact: myNames.join(" ") === rightNames.join(" ") ? 1 : 0,
    namesF1: overlapF1(myNames, rightNames),
  };
}

/**
 * 1 less the Levenshtein distance, in UTF-16 units, as a share of the longer text. Two empty texts
 * are alike.
 */
export function editSimilarity(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (longer === 0) return 1;
  return 1 - distance(a, b) / longer;
}

/**
 * The names of a line of code, keywords left out, in their order. What is in strings counts too.
 */
export function namesIn(code: string): string[] {
  return (code.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).filter((name) => !keywords.has(name));
}

const keywords = new Set(
  `abstract any as async await boolean break case catch class const continue declare default delete do else enum export
  extends false finally for from function get if implements import in infer instanceof interface is keyof let module
  namespace never new null number object of package private protected public readonly require return satisfies set
  static string super switch symbol this throw true try type typeof undefined unknown var void while with yield`.split(
    /\s+/,
  ),
);

function overlapF1(mine: readonly string[], right: readonly string[]): number {
  if (mine.length === 0 && right.length === 0) return 1;
  return (2 * sharedItems(mine, right).length) / (mine.length + right.length);
}

/** A prediction with how sure the model was of it, and whether it was right (1) or not (0). */
export interface Judged {
  readonly probability: number;
  readonly exact: number;
}

/** The share of right predictions among the `share` of them that the model was most sure of. */
export function precisionAt(share: number, judged: readonly Judged[]): number {
  const surest = judged.toSorted((a, b) => b.probability - a.probability);
  return mean(surest.slice(0, Math.round(judged.length * share)).map((one) => one.exact));
}

/** Predictions of about the same probability. */
export interface ReliabilityBin {
  /** The bin holds probabilities in [from, to), the last one 1 as well. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly meanProbability: number;
  /** The share that was right. */
  readonly rightShare: number;
}

/** How far probabilities can be believed, in ten bins of equal width. */
export function reliability(judged: readonly Judged[]): ReliabilityBin[] {
  return Array.from({ length: 10 }, (_, bin) => {
    const here = judged.filter(({ probability }) => Math.min(9, Math.floor(probability * 10)) === bin);
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      count: here.length,
      meanProbability: mean(here.map((one) => one.probability)),
      rightShare: mean(here.map((one) => one.exact)),
    };
  });
}

/**
 * The mean distance between probability and truth over the bins, weighted by how full they are.
 *
 * Source: Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using Bayesian
 * binning", AAAI 2015.
 */
export function calibrationError(bins: readonly ReliabilityBin[]): number {
  const total = bins.reduce((sum, bin) => sum + bin.count, 0);
  if (total === 0) return 0;
  return bins.reduce((sum, bin) => sum + bin.count * Math.abs(bin.meanProbability - bin.rightShare), 0) / total;
}
