import { invariant } from "../../src/text/errors.ts";

/**
 * A logistic model: the log-odds of a yes are the intercept and the weighted features, added up.
 */
export interface LogisticModel {
  readonly intercept: number;
  readonly weights: readonly number[];
}

/** The chance of a yes, from 0 to 1. */
export function chanceOf({ intercept, weights }: LogisticModel, features: readonly number[]): number {
  let logOdds = intercept;
  for (const [at, weight] of weights.entries()) logOdds += weight * features[at]!;
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * Fits a logistic model to answers that are 0 or 1, so that the likelihood of the answers is
 * highest less `ridge / 2` times the squared distance of the weights, the intercept's included,
 * from those of `prior`, which are 0 by default: few answers change little of it.
 *
 * All rows have the same number of features. The result does not depend on the order of the rows.
 * Source: iteratively reweighted least squares, Hastie, Tibshirani and Friedman, The Elements of
 * Statistical Learning, section 4.4.1.
 */
export function fitLogistic(
  rows: readonly (readonly number[])[],
  answers: readonly number[],
  { ridge = 1, prior }: { readonly ridge?: number; readonly prior?: LogisticModel } = {},
): LogisticModel {
  invariant(rows.length === answers.length, `${rows.length} rows have ${answers.length} answers`);
  const width = 1 + (prior?.weights.length ?? rows[0]?.length ?? 0);
  const start = prior === undefined ? Array<number>(width).fill(0) : [prior.intercept, ...prior.weights];
  let weights = start;
  let loss = lossOf(weights);
  for (let round = 0; round < 100; round++) {
    const gradient: number[] = weights.map((weight, at) => -ridge * (weight - start[at]!));
    const curvature = start.map((_, at) => start.map((_, other) => (other === at ? ridge : 0)));
    for (const [index, row] of rows.entries()) {
      const chance = logistic(logOddsOf(weights, row));
      const miss = answers[index]! - chance;
      const weight = chance * (1 - chance);
      for (let at = 0; at < width; at++) {
        const x = at === 0 ? 1 : row[at - 1]!;
        if (x === 0) continue;
        gradient[at]! += miss * x;
        for (let other = 0; other <= at; other++)
          curvature[at]![other]! += weight * x * (other === 0 ? 1 : row[other - 1]!);
      }
    }
    const step = solved(curvature, gradient);
    // A whole step may go too far where the answers are far from what the weights say.
    let scale = 1;
    let next = weights.map((weight, at) => weight + step[at]!);
    let nextLoss = lossOf(next);
    while (!(nextLoss <= loss) && scale > 1e-6) {
      scale /= 2;
      next = weights.map((weight, at) => weight + scale * step[at]!);
      nextLoss = lossOf(next);
    }
    const gain = loss - nextLoss;
    if (!(gain >= 0)) break;
    [weights, loss] = [next, nextLoss];
    if (gain < 1e-10 * (1 + Math.abs(loss))) break;
  }
  return { intercept: weights[0]!, weights: weights.slice(1) };

  function lossOf(some: readonly number[]): number {
    let sum = 0;
    for (const [at, weight] of some.entries()) sum += (ridge / 2) * (weight - start[at]!) ** 2;
    for (const [index, row] of rows.entries()) {
      const logOdds = logOddsOf(some, row);
      sum += Math.max(logOdds, 0) + Math.log1p(Math.exp(-Math.abs(logOdds))) - answers[index]! * logOdds;
    }
    return sum;
  }
}

function logOddsOf(weights: readonly number[], row: readonly number[]): number {
  let sum = weights[0]!;
  for (let at = 0; at < row.length; at++) sum += weights[at + 1]! * row[at]!;
  return sum;
}

function logistic(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

/**
 * Solves `matrix · x = right` by Cholesky's decomposition. The matrix is symmetric and positive
 * definite; only its lower half is read.
 */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const size = right.length;
  const lower = matrix.map((row) => [...row]);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = lower[i]![j]!;
      for (let k = 0; k < j; k++) sum -= lower[i]![k]! * lower[j]![k]!;
      lower[i]![j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / lower[j]![j]!;
    }
  }
  const result = [...right];
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) result[i]! -= lower[i]![k]! * result[k]!;
    result[i]! /= lower[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) result[i]! -= lower[k]![i]! * result[k]!;
    result[i]! /= lower[i]![i]!;
  }
  return result;
}
