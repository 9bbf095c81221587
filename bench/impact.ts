/**
 * Whether the impact of real changes is found:
 * `npm run bench:impact -- CASES.jsonl --repositories CLONES`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { analyseImpact, workLikelihood } from "../src/analysis/impact/impact-analysis.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { CaseWorkspace } from "./impact/case-workspace.ts";
import { CommitTree } from "./impact/commit-tree.ts";
import { type ImpactCase, readCases, readScopes } from "./impact/impact-case.ts";
import { type CaseScore, figuresOf, scoreCase } from "./impact/score.ts";
import { seedTexts } from "./impact/seed-edit.ts";
import { cloneOf } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string" },
    /** Only cases whose id holds this. */
    only: { type: "string", default: "" },
    /** Prints the forced blocks that the work list lacks, and those in it that did not change. */
    show: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [casesPath] = positionals;
const { repositories } = values;
if (casesPath === undefined || repositories === undefined) {
  throw new Error(
    "Say which cases, and where the clones lie: npm run bench:impact -- CASES.jsonl --repositories CLONES",
  );
}

const scopes = await readScopes(casesPath, repositories);
const cases = readCases(casesPath)
  .filter(({ id }) => id.includes(values.only))
  .sort((a, b) => (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0));
using syntax = openSyntax();
const scores: CaseScore[] = [];
for (const one of cases) {
  const started = process.cpuUsage();
  const score = await answer(one, repositories);
  scores.push(score);
  const { user, system } = process.cpuUsage(started);
  const counts = `forced ${score.hits}/${score.forced}, list ${score.length}, closure ${score.reached}/${score.forced} in ${score.closure}`;
  console.log(`${one.id.padEnd(30)} ${counts}, ${((user + system) / 1e6).toFixed(1)} s`);
  if (values.show) {
    for (const key of score.missed) console.log(`    missed ${key}`);
    for (const key of score.alarms) console.log(`    alarm  ${key}`);
  }
}

const figures = figuresOf(scores);
const bars: Bar[] = [
  { name: "work list: recall of forced blocks", value: figures.recall, bar: 0.93, sense: "at-least" },
  { name: "work list: precision", value: figures.precision, bar: 0.6, sense: "at-least" },
  { name: "cases with every forced block", value: figures.complete, bar: 0.88, sense: "at-least" },
  { name: "work list: median length", value: figures.medianLength, bar: 6, sense: "at-most" },
  { name: "closure: recall of forced blocks", value: figures.closureRecall, bar: 0.985, sense: "at-least" },
];
console.log(`\n${figures.cases} cases, closure of ${figures.medianClosure} blocks (median)`);
console.log(
  `mean average precision ${figures.meanAveragePrecision.toFixed(3)}, calibration error ${figures.calibrationError.toFixed(4)}\n`,
);
console.log(printBars(bars));
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ figures, scores }, null, 1));
process.exitCode = bars.every(passes) ? 0 : 1;

async function answer(one: ImpactCase, folder: string): Promise<CaseScore> {
  const git = cloneOf(folder, one.repo);
  const before = new CommitTree(git, one.parent);
  const after = new CommitTree(git, one.commit);
  const workspace = await CaseWorkspace.open(before, scopes(one.repo), syntax);
  try {
    const blocksOf = (path: string, text: string) => workspace.reader.tryBlocks(path, text) ?? [];
    const texts = seedTexts(one, before, after, blocksOf);
    const changed = new Map([...texts].map(([path, text]) => [path, { before: workspace.textOf(path), after: text }]));
    const { affected } = await analyseImpact({
      changed,
      graphs: { before: workspace.graph, after: await workspace.graphAfter(changed) },
      textOf: (path) => workspace.textOf(path),
      blocksOf: (path, text) => workspace.blocksOf(path, text),
      treeOf: (path, text) => workspace.reader.tryScript(path, text),
      checker: { checker: workspace.checker, before: workspace.errors },
    });
    return scoreCase(one, affected, workLikelihood);
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}
