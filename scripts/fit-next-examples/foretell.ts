import { chanceOf } from "../../src/next/boosted-trees.ts";
import { trustNames } from "../../src/next/earned-trust.ts";
import { type Answers, type BoostOptions, boostTrees } from "./boost-trees.ts";
import type { NextRow } from "./next-row.ts";
import type { NamedRows } from "./read-rows.ts";

/** Rows as answers: the first of a moment count most, and the moments of a long commit each less. */
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

/** What trees are asked with, in their order. */
function numbersOf({ features, answers }: NextRow): readonly number[] {
  return [...features, ...answers];
}

/** Commits with more moments count less for each. */
const manySteps = 10;

/** How likely each row is by trees that were fitted to the other repositories, `folds` groups of them. */
export function crossValidated(all: NamedRows, options: BoostOptions, folds: number): ReadonlyMap<NextRow, number> {
  const repos = [...new Set(all.rows.map(({ repo }) => repo))].sort();
  const said = new Map<NextRow, number>();
  for (let fold = 0; fold < folds; fold++) {
    const isIn = ({ repo }: NextRow) => repos.indexOf(repo) % folds === fold;
    const own = all.rows.filter(isIn);
    const others = all.rows.filter((row) => !isIn(row));
    if (own.length === 0 || others.length === 0) continue;
    const trees = boostTrees(answersOf({ names: all.names, rows: others }), options);
    for (const row of own) said.set(row, chanceOf(trees, numbersOf(row)));
  }
  return said;
}
