import type { BoostedTrees, TreeNode } from "../../src/next/boosted-trees.ts";
import { trustNames } from "../../src/next/earned-trust.ts";
import { chanceOf, fitLogistic, type LogisticModel } from "../fit-impact/logistic-regression.ts";
import type { NextRow } from "./next-row.ts";

/** How log-odds are bent, so that they are the share that comes true while nothing was answered. */
export interface Calibration {
  readonly intercept: number;
  readonly slope: number;
}

/** What is made of likelihoods and of the answers to earlier suggestions. */
export interface FittedTrust {
  readonly example: Calibration;
  readonly name: Calibration;
  /** For twice as many answers and one, in log-odds, by the names of {@link trustNames}. */
  readonly weights: readonly number[];
}

/** The most proposals of a moment that count: others are not shown. */
const maxRank = 3;
/** Of renames only the first of a moment counts, and so many of a commit: one with hundreds of places says no more than another. */
const maxNamesOfCommit = 6;

/**
 * Fits calibrations and what answers are worth, together.
 *
 * Source: Platt, "Probabilistic Outputs for Support Vector Machines", 1999.
 */
export function fitTrust(said: ReadonlyMap<NextRow, number>): FittedTrust {
  const { intercept, weights } = fitted([...said]);
  const [ofExamples, ofNames, isName, ...answers] = weights as [number, number, number, ...number[]];
  return {
    example: { intercept, slope: ofExamples },
    name: { intercept: intercept + isName, slope: ofNames },
    weights: answers,
  };
}

/** What it comes to for each row by the rows of other repositories, `folds` groups of them. */
export function crossTrusted(said: ReadonlyMap<NextRow, number>, folds: number): ReadonlyMap<NextRow, number> {
  const repos = [...new Set([...said.keys()].map(({ repo }) => repo))].sort();
  const trusted = new Map<NextRow, number>();
  for (let fold = 0; fold < folds; fold++) {
    const isIn = ([{ repo }]: readonly [NextRow, number]) => repos.indexOf(repo) % folds === fold;
    const others = [...said].filter((one) => !isIn(one));
    if (others.length === 0) continue;
    const model = fitted(others);
    for (const [row, likelihood] of said) {
      if (isIn([row, likelihood])) trusted.set(row, chanceOf(model, asNumbers(row, likelihood)));
    }
  }
  return trusted;
}

/** The fit in words. */
export function printTrust({ example, name, weights }: FittedTrust): string {
  const line = (what: string, { intercept, slope }: Calibration) =>
    `${what.padEnd(8)} ${intercept.toFixed(3)} + ${slope.toFixed(3)} of the log-odds`;
  const answers = trustNames.map((what, i) => `${what}: ${weights[i]!.toFixed(3)}`).join(", ");
  return [line("example", example), line("name", name), answers].join("\n");
}

/** Trees whose log-odds are bent by a calibration. */
export function calibrated({ features, bias, trees }: BoostedTrees, { intercept, slope }: Calibration): BoostedTrees {
  const bent = (node: TreeNode): TreeNode =>
    typeof node === "number" ? slope * node : [node[0], node[1], bent(node[2]), bent(node[3])];
  return { features, bias: intercept + slope * bias, trees: trees.map(bent) };
}

function fitted(said: readonly (readonly [NextRow, number])[]): LogisticModel {
  const names = new Map<string, number>();
  const first = said.filter(([{ origin, rank, repo, commit }]) => {
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

function asNumbers({ origin, answers }: NextRow, likelihood: number): number[] {
  const certain = Math.min(0.98, Math.max(0.02, likelihood));
  const logOdds = Math.log(certain / (1 - certain));
  const ofOrigin = origin === "example" ? [logOdds, 0, 0] : [0, logOdds, 1];
  return [...ofOrigin, ...answers.map((count) => Math.log2(1 + Math.min(mostAnswers, count)))];
}

/** The most answers that the tool remembers of a source. */
const mostAnswers = 20;
