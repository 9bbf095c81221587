/**
 * Fits how likely edits by example and renames are, to real commits:
 * `npx tsx scripts/fit-next-examples.ts --rows DIR REPO...`.
 *
 * Each commit is gone through as `npm run bench:next` does, and what the sources propose at each
 * moment is kept in numbers, with whether it was what came. Prints how well repositories are
 * predicted by trees that were fitted to the others, and with `--write` writes the tables of trees.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { ComponentParsers } from "../src/names/components/component-parsers.ts";
import { NameTables } from "../src/names/name-tables.ts";
import { parseScriptTree } from "../src/names/node/index.ts";
import { ExampleProvider } from "../src/next/providers/example/example-provider.ts";
import { siteTrees } from "../src/next/providers/example/site-trees.ts";
import { RenameProvider } from "../src/next/providers/rename/rename-provider.ts";
import { useTrees } from "../src/next/providers/rename/use-trees.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { type BoostOptions, boostTrees, defaultBoostOptions } from "./fit-next-examples/boost-trees.ts";
import { calibrated, calibration, crossCalibrated, printCalibrations } from "./fit-next-examples/calibration.ts";
import { collectRows } from "./fit-next-examples/collect-rows.ts";
import { answersOf, crossValidated } from "./fit-next-examples/cross-validation.ts";
import type { NextRow } from "./fit-next-examples/next-row.ts";
import { printCalibration, printRepositories, printThresholds } from "./fit-next-examples/print-figures.ts";
import { readRows } from "./fit-next-examples/read-rows.ts";
import { originOf, printTreesModule } from "./fit-next-examples/trees-module.ts";

const usage = `npx tsx scripts/fit-next-examples.ts --rows DIR REPO... [options]
  REPO           a repository's folder, bare or not; what is measured with is not to be fitted to
  --rows DIR     keeps what was found out of each repository there, and does not go through those again that it holds
  --commits N    how many commits of each are gone through; default: 100
  --seed S       which commits; default: 3
  --least P      the least likelihood of what is shown on the way, from 0 to 1; default: 0.45
  --steps N      how many moments of a commit are looked at; default: 30
  --rounds N     how many trees are fitted; default: ${defaultBoostOptions.rounds}
  --depth N      how many questions of a tree follow each other; default: ${defaultBoostOptions.depth}
  --folds N      into how many groups repositories are put to be predicted from the others; default: 5; 0 for not at all, where nothing is written
  --further      keeps the trees that src/next has, and fits more to what they leave open; REPOs are others than those that they were fitted to
  --write        writes the tables into src/next`;

const { values, positionals: repos } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string" },
    commits: { type: "string", default: "100" },
    seed: { type: "string", default: "3" },
    least: { type: "string", default: "0.45" },
    steps: { type: "string", default: "30" },
    rounds: { type: "string", default: String(defaultBoostOptions.rounds) },
    depth: { type: "string", default: String(defaultBoostOptions.depth) },
    folds: { type: "string", default: "5" },
    further: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const rowsFolder = values.rows;
const [count, seed, leastLikelihood, maxSteps, rounds, depth, folds] = [
  ...[values.commits, values.seed, values.least, values.steps, values.rounds, values.depth, values.folds].map(Number),
] as [number, number, number, number, number, number, number];
const isCount = [count, maxSteps, rounds, depth].every((number) => Number.isInteger(number) && number >= 1);
const hasFolds = folds >= 2 || (folds === 0 && !values.write);
if (rowsFolder === undefined || repos.length === 0 || !isCount || !hasFolds) {
  console.error(usage);
  process.exit(2);
}

mkdirSync(rowsFolder, { recursive: true });
const files: string[] = [];
for (const repo of repos) files.push(await collect(repo, rowsFolder));
const all = readRows(files);
// There are fewer renames, which smaller trees are for.
const options: Record<NextRow["origin"], BoostOptions> = {
  example: { ...defaultBoostOptions, rounds, depth },
  name: { ...defaultBoostOptions, rounds: Math.min(rounds, 100), depth: Math.min(depth, 4), leastLeaf: 20 },
};
const origins = ["example", "name"] as const;
const before = values.further ? { example: siteTrees, name: useTrees } : undefined;
const likelihoods = new Map<NextRow, number>();
for (const origin of folds > 1 ? origins : [])
  for (const [row, likelihood] of crossValidated(all[origin], options[origin], folds, before?.[origin]))
    likelihoods.set(row, likelihood);
const bent = calibration(likelihoods);
if (folds > 1) {
  console.log(printCalibrations(bent));
  const predicted = crossCalibrated(likelihoods, folds);
  for (const origin of origins) {
    const own = [...likelihoods.keys()].filter((row) => row.origin === origin);
    const then = own.map((row) => ({ row, likelihood: row.likelihood }));
    const now = own.map((row) => ({ row, likelihood: predicted.get(row)! }));
    for (const [title, of] of [
      ["as it was", then],
      ["as predicted from other repositories", now],
    ] as const) {
      console.log(
        `\n${origin}, ${title}\n\n${printThresholds(of)}\n\n${printCalibration(of)}\n\n${printRepositories(of, 0.55)}`,
      );
    }
  }
}
if (values.write) {
  const names = repos.map((repo) => nameOf(repo).replace("+", "/")).sort();
  const from = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const modules = {
    example: { name: "siteTrees", meaning: "How likely a place is rewritten as an example was." },
    name: { name: "useTrees", meaning: "How likely a place of a rename becomes just that." },
  };
  const files = { example: "example/site-trees.ts", name: "names/use-trees.ts" };
  for (const origin of origins) {
    const file = join(import.meta.dirname, "../src/next", files[origin]);
    const trees = calibrated(boostTrees(answersOf(all[origin]), options[origin], before?.[origin]), bent[origin]);
    const to = `${all[origin].rows.length} proposals in commits of ${from}.`;
    const fitted =
      before === undefined
        ? `Fitted to ${to}`
        : `${originOf(readFileSync(file, "utf8"))} More trees were then fitted to ${to}`;
    writeFileSync(file, printTreesModule(trees, { ...modules[origin], origin: fitted }));
  }
}

/** What a repository is called, by its folder. */
function nameOf(folder: string): string {
  return basename(folder.replace(/(?<!\/)\/+(?:(?:repo|\.git)\/*)?$/, ""));
}

/** The file with the rows of a repository, which is gone through where there is none yet. */
async function collect(folder: string, kept: string): Promise<string> {
  const repo = nameOf(folder);
  const file = join(kept, `${repo}.jsonl`);
  if (existsSync(file)) return file;
  const part = `${file}.part`;
  writeFileSync(part, "");
  using syntax = openSyntax();
  const components = new ComponentParsers();
  await Promise.all([components.load("vue"), components.load("svelte")]);
  const named = new Set<string>();
  const order = {
    ...{ folder, repo, count, seed, syntax, leastLikelihood, maxSteps },
    openSources() {
      const names = new NameTables({ parseScript: parseScriptTree, syntax, components });
      return { names, all: [new RenameProvider(names), new ExampleProvider()] };
    },
  };
  for await (const rows of collectRows(order)) {
    for (const { features, ...row } of rows) {
      if (!named.has(row.origin))
        appendFileSync(part, `${JSON.stringify({ names: { [row.origin]: Object.keys(features) } })}\n`);
      named.add(row.origin);
      const numbers = Object.values(features).map((value) => Number(value.toFixed(4)));
      appendFileSync(part, `${JSON.stringify({ ...row, features: numbers })}\n`);
    }
  }
  renameSync(part, file);
  console.error(`${repo}: gone through`);
  return file;
}
