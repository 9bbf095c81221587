import { trustNames } from "../../src/next/feedback/provider-calibration.ts";
import { type BoostedTrees, chanceOf } from "../../src/next/providers/boosted-trees.ts";
import { type Answers, type BoostOptions, boostTrees } from "./boost-trees.ts";
import type { NextRow } from "./next-row.ts";
import type { NamedRows } from "./read-rows.ts";

/**
 * Rows as answers: the first of a moment count most, and the moments of a long commit each less.
 */
export function answersOf({ names, rows }: NamedRows): Answers {
  const steps = new Map<string, Set<number>>();
  const keyOf = ({ repo, commit }: NextRow) => `${repo} ${commit}`;
  for (const row of rows) steps.set(keyOf(row), (steps.get(keyOf(row)) ?? new Set()).add(row.step));
  const few = (row: NextRow) => Math.min(1, Math.sqrt(manySteps / steps.get(keyOf(row))!.size));
  return {
    names: [...names, ...trustNames],
    rows: rows.map(numbersOf),
    labels: rows.map(({ isExact }) => Number(isExact)),
    weights: rows.map((row) => few(row) / (1 + row.rank / 2)),
  };
}

/** The input of trees, in their order. */
function numbersOf({ features, answers }: NextRow): readonly number[] {
  return [...features, ...answers];
}

/** Commits with more moments count less for each. */
const manySteps = 10;

/** Which of `folds` groups of repositories each row is in, from 0. */
export function foldsOf(rows: Iterable<NextRow>, folds: number): (row: NextRow) => number {
  const repos = [...new Set(Array.from(rows, ({ repo }) => repo))].sort();
  const foldOf = new Map(repos.map((repo, i) => [repo, i % folds]));
  return ({ repo }) => foldOf.get(repo)!;
}

/**
 * How likely each row is by trees that were fitted to the other repositories, `folds` groups of
 * them, behind those that were there `before`.
 */
export function crossValidated(
  all: NamedRows,
  options: BoostOptions,
  folds: number,
  before?: BoostedTrees,
): ReadonlyMap<NextRow, number> {
  const foldOf = foldsOf(all.rows, folds);
  const likelihoods = new Map<NextRow, number>();
  for (let fold = 0; fold < folds; fold++) {
    const own = all.rows.filter((row) => foldOf(row) === fold);
    const others = all.rows.filter((row) => foldOf(row) !== fold);
    if (own.length === 0 || others.length === 0) continue;
    const trees = boostTrees(answersOf({ names: all.names, rows: others }), options, before);
    for (const row of own) likelihoods.set(row, chanceOf(trees, numbersOf(row)));
  }
  return likelihoods;
}
