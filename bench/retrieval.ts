/**
 * How much of what a line needs is in the context of its prompt:
 * `npm run bench:retrieval -- FOLDER`.
 *
 * `bench/README.md` describes what is counted.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { languageIdOf } from "../scripts/train/learnable.ts";
import { openTokenCounter, type Prompt, PromptBuilder, type PromptRequest } from "../src/context/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { type CompletionCase, caseRepositories, caseSets, loadCases } from "./complete/load-cases.ts";
import { percentile } from "./percentile.ts";
import { type Chosen, jaccardOfTabs, plainBm25 } from "./retrieval/baselines.ts";
import { MovingIndex } from "./retrieval/moving-index.ts";
import { namesOf, trueNames } from "./retrieval/true-names.ts";

const usage = `npm run bench:retrieval -- FOLDER [options]
  FOLDER       one folder a repository, each with base.json.gz, blobs.jsonl.gz and cases.jsonl
  --repo NAME  only this repository; may be given several times
  --limit N    the first N cases of each set and repository; default: 100
  --json FILE  writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repo: { type: "string", multiple: true },
    limit: { type: "string", default: "100" },
    json: { type: "string" },
  },
});
const [folder] = positionals;
const limit = Number(values.limit);
if (folder === undefined || !(limit > 0)) {
  console.error(usage);
  process.exit(2);
}

interface Tally {
  cases: number;
  names: number;
  found: number;
  /** Names that stand neither before nor after the cursor. */
  newNames: number;
  newFound: number;
  lines: number;
}

const counter = await openTokenCounter("o200k_base");
const budget = { maxTokens: 7_692, suffixShare: 0.15 };
const tallies = new Map<string, Tally>();
const [firstMs, nextMs]: [number[], number[]] = [[], []];
for (const name of caseRepositories(folder)) {
  if (values.repo !== undefined && !values.repo.includes(name)) continue;
  const repository = loadCases(folder, name, limit);
  const moving = new MovingIndex(repository);
  const builder = new PromptBuilder({ index: moving.index });
  for (const one of repository.cases) {
    moving.moveTo(one);
    // As people type: a prompt for the line's beginning, and then the one that is requested.
    const lineStart = one.prefix.lastIndexOf("\n") + 1;
    firstMs.push(cpuMs(() => builder.assemble(requestOf(one, lineStart))));
    let prompt: Prompt | undefined;
    const times = [1, 2, 3].map(() =>
      cpuMs(() => {
        prompt = builder.assemble(requestOf(one, one.prefix.length));
      }),
    );
    nextMs.push(percentile(times, 0.5));
    count(one, "assembled context", contextOf(prompt!));
    count(one, "BM25, whole repository", plainBm25(moving.index, one));
    count(one, "Jaccard, best 4 of 20 tabs", jaccardOfTabs(moving.index, one));
  }
  console.error(`${name}: ${repository.cases.length} cases`);
}

console.log(printTable());
const bars: Bar[] = [
  { name: "identifier recall, static", value: recall("assembled context", "static"), bar: 78, sense: "at-least" },
  { name: "identifier recall, commit", value: recall("assembled context", "commit"), bar: 62, sense: "at-least" },
  { name: "CPU of a request, p50, ms", value: percentile(nextMs, 0.5), bar: 5, sense: "below" },
  { name: "CPU of a request, p95, ms", value: percentile(nextMs, 0.95), bar: 5, sense: "below" },
];
console.log(printBars(bars));
console.log(
  `first request in a file: p50 ${percentile(firstMs, 0.5).toFixed(2)} ms, p95 ${percentile(firstMs, 0.95).toFixed(2)} ms`,
);
if (values.json !== undefined) {
  const content = { bench: "retrieval", node: process.version, limit, bars, tallies: Object.fromEntries(tallies) };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

function requestOf(one: CompletionCase, offset: number): PromptRequest {
  const text = one.prefix + one.suffix;
  const language = languageIdOf(one.file, text);
  return {
    document: { uri: `file:///${one.file}`, language, version: 1, text },
    path: one.file,
    offset,
    counter,
    budget,
  };
}

function cpuMs(call: () => void): number {
  const before = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** What is written of other places: neither the two sides of the cursor nor the marker. */
function contextOf({ pieces }: Prompt): Chosen {
  const others = pieces.filter(({ kind, status }) => !/-cursor$|^marker$/.test(kind) && status.kind !== "left-out");
  const texts = others.map(({ text }) => text);
  return { texts, lines: texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0) };
}

function count(one: CompletionCase, way: string, { texts, lines }: Chosen): void {
  const names = trueNames(one.prefix, one.middle);
  if (names.length === 0) return;
  const key = `${way}/${one.set}`;
  const tally = tallies.get(key) ?? { cases: 0, names: 0, found: 0, newNames: 0, newFound: 0, lines: 0 };
  tallies.set(key, tally);
  const own = namesOf(`${one.prefix}\n${one.suffix}`);
  const shown = namesOf(texts.join("\n"));
  tally.cases++;
  tally.lines += lines;
  for (const name of names) {
    const isFound = shown.has(name) ? 1 : 0;
    tally.names++;
    tally.found += isFound;
    if (own.has(name)) continue;
    tally.newNames++;
    tally.newFound += isFound;
  }
}

function recall(way: string, set: string): number {
  const { found, names } = tallies.get(`${way}/${set}`) ?? { found: 0, names: 1 };
  return (100 * found) / names;
}

function printTable(): string {
  const ways = new Set(Array.from(tallies.keys(), (key) => key.split("/")[0]!));
  const head = ["context", ...caseSets.flatMap((set) => [set, "new names", "lines"])];
  const rows = Array.from(ways, (way) => [
    way,
    ...caseSets.flatMap((set) => {
      const tally = tallies.get(`${way}/${set}`);
      if (tally === undefined) return ["", "", ""];
      const { newFound, newNames, lines, cases } = tally;
      return [recall(way, set).toFixed(1), ((100 * newFound) / newNames).toFixed(1), (lines / cases).toFixed(0)];
    }),
  ]);
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows]
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}
