import type { BoostedTrees, TreeNode } from "../../src/next/providers/boosted-trees.ts";
import { chanceOf, fitLogistic, type LogisticModel } from "../fit-impact/logistic-regression.ts";
import { foldsOf } from "./cross-validation.ts";
import type { NextRow } from "./next-row.ts";

/** How log-odds are bent, so that they are the share that comes true. */
export interface Calibration {
  readonly intercept: number;
  readonly slope: number;
}

/** The most proposals of a moment that count: others are not shown. */
const maxRank = 3;
/**
 * The maximum number of renames of a commit that count, and of each request only the first: a
 * rename with hundreds of occurrences has the weight of any other.
 */
const maxNamesOfCommit = 6;

/**
 * What bends the likelihoods that trees predict of each origin, so that they can be compared.
 *
 * Source: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
 */
export function calibration(
  likelihoods: ReadonlyMap<NextRow, number>,
): Readonly<Record<NextRow["origin"], Calibration>> {
  const { intercept, weights } = fitted([...likelihoods]);
  const [ofExamples, ofNames, isName] = weights as [number, number, number];
  return { example: { intercept, slope: ofExamples }, name: { intercept: intercept + isName, slope: ofNames } };
}

/** What it comes to for each row by the rows of other repositories, `folds` groups of them. */
export function crossCalibrated(
  likelihoods: ReadonlyMap<NextRow, number>,
  folds: number,
): ReadonlyMap<NextRow, number> {
  const foldOf = foldsOf(likelihoods.keys(), folds);
  const bent = new Map<NextRow, number>();
  for (let fold = 0; fold < folds; fold++) {
    const others = [...likelihoods].filter(([row]) => foldOf(row) !== fold);
    if (others.length === 0) continue;
    const model = fitted(others);
    for (const [row, likelihood] of likelihoods) {
      if (foldOf(row) === fold) bent.set(row, chanceOf(model, asNumbers(row, likelihood)));
    }
  }
  return bent;
}

/** The fit in words. */
export function printCalibrations(of: Readonly<Record<NextRow["origin"], Calibration>>): string {
  const line = ([origin, { intercept, slope }]: readonly [string, Calibration]) =>
    `${origin.padEnd(8)} ${intercept.toFixed(3)} + ${slope.toFixed(3)} of the log-odds`;
  return Object.entries(of).map(line).join("\n");
}

/** Trees whose log-odds are bent by a calibration. */
export function calibrated({ features, bias, trees }: BoostedTrees, { intercept, slope }: Calibration): BoostedTrees {
  const bent = (node: TreeNode): TreeNode =>
    typeof node === "number" ? slope * node : [node[0], node[1], bent(node[2]), bent(node[3])];
  return { features, bias: intercept + slope * bias, trees: trees.map(bent) };
}

function fitted(likelihoods: readonly (readonly [NextRow, number])[]): LogisticModel {
  const names = new Map<string, number>();
  const first = likelihoods.filter(([{ origin, rank, repo, commit }]) => {
    if (origin === "example") return rank < maxRank;
    const key = `${repo} ${commit}`;
    const count = names.get(key) ?? 0;
    if (rank === 0) names.set(key, count + 1);
    return rank === 0 && count < maxNamesOfCommit;
  });
  const rows = first.map(([row, likelihood]) => asNumbers(row, likelihood));
  return fitLogistic(
    rows,
    first.map(([{ isExact }]) => Number(isExact)),
    { ridge: 2 },
  );
}

function asNumbers({ origin }: NextRow, likelihood: number): readonly number[] {
  const certain = Math.min(0.98, Math.max(0.02, likelihood));
  const logOdds = Math.log(certain / (1 - certain));
  return origin === "example" ? [logOdds, 0, 0] : [0, logOdds, 1];
}
