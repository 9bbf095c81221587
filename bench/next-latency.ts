/**
 * How long it takes from an edit to what may be next, without a model, in a large workspace:
 * `npm run bench:next:latency -- [DIR]`.
 *
 * `bench/README.md` describes what is measured.
 */
import { realpathSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isLearnable } from "../scripts/train/learnable.ts";
import { TextIndex } from "../src/next/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { systemClock } from "../src/workspace/node/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { cpuMsOfAll } from "./graph/process-usage.ts";
import { openWorkspace } from "./graph/workspace.ts";
import { usedBytes } from "./learn/measure-learning.ts";
import { type MadeEdit, madeEdits } from "./next/made-edits.ts";
import { madeLongModule, madeWorkspace } from "./next/made-workspace.ts";
import { type MeasuredEdit, measureEdits } from "./next/measure-edits.ts";
import { openSources } from "./next/open-sources.ts";
import { percentile } from "./percentile.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    edits: { type: "string", default: "10000" },
    lines: { type: "string", default: "100000" },
    long: { type: "string" },
    seed: { type: "string", default: "1" },
    types: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [folder] = positionals;
const [count, lines, seed, long] = [values.edits, values.lines, values.seed, values.long ?? 0].map(Number) as [
  ...[number, number, number, number],
];
if (!(count >= 1) || !(lines >= 1) || !Number.isInteger(seed) || !(long >= 0)) {
  console.error(`npm run bench:next:latency -- [DIR] [options]
  DIR          a workspace with scripts; default: one that is made for it
  --edits N    how many edits are made; default: 10,000
  --lines N    how long the made workspace is; default: 100,000 lines
  --long N     one more file of about N lines is there, and all edits but those that follow elsewhere are made in it
  --seed S     the made workspace and the edits are the same for the same seed; default: 1
  --types      opens TypeScript, so that types propose and judge
  --json FILE  writes all figures`);
  process.exit(2);
}

using syntax = openSyntax();
const texts = new Map(folder === undefined ? madeWorkspace(lines, seed).texts : await textsIn(realpathSync(folder)));
const longModule = long > 0 ? madeLongModule(long, seed) : undefined;
if (longModule !== undefined) texts.set(longModule.path, longModule.text);
const scripts = [...texts.keys()].filter((path) => /\.[cm]?[jt]sx?$/.test(path)).sort();
if (scripts.length === 0)
  throw new Error(`There is no script in ${folder}. Name a folder with TypeScript or JavaScript.`);
const all = [...texts.values()].reduce((sum, text) => sum + text.split("\n").length - 1, 0);
console.log(`${folder ?? "made workspace"}: ${texts.size} files, ${all} lines, ${scripts.length} scripts`);

const index = new TextIndex();
for (const [path, text] of texts) index.update(path, text);
index.containing(["the"]);
const edited = {
  paths: longModule === undefined ? scripts : [longModule.path],
  textOf: (path: string) => index.textOf(path),
  containing: (words: readonly string[]) => index.containing(words),
};
await using made = await openSources({ index, syntax, hasTypes: values.types });
const { measured, heap } = await measureEdits(madeEdits(edited, seed), count, {
  ...{ index, sources: made.all, names: made.names, syntax, types: made.judge, clock: systemClock },
  onText: (path, text) => made.update(path, text),
  cpuMs: cpuMsOfAll,
  megabytes: () => usedBytes() / 2 ** 20,
});
console.log(printEdits(measured));
console.log(
  `\nmemory, MB after edits: ${heap.map(({ edits, megabytes }) => `${edits}: ${megabytes.toFixed(1)}`).join(", ")}`,
);
const times = measured.map(({ cpuMs }) => cpuMs);
const bars: Bar[] = [
  { name: "edit to answer, p50 CPU ms", value: percentile(times, 0.5), bar: 20, sense: "below" },
  { name: "edit to answer, p95 CPU ms", value: percentile(times, 0.95), bar: 100, sense: "below" },
];
// Caches fill at first.
const [first, last] = [heap[Math.floor(heap.length / 5)], heap.at(-1)];
if (first !== undefined && last !== undefined && heap.length > 1) {
  bars.push({
    name: "memory, end by first fifth",
    value: last.megabytes / first.megabytes,
    bar: 1.1,
    sense: "at-most",
  });
}
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const settings = { folder, lines: all, files: texts.size, edits: count, seed, long, node: process.version };
  writeFileSync(
    values.json,
    `${JSON.stringify({ bench: "next-latency", settings, bars, heap, measured }, undefined, 1)}\n`,
  );
}
process.exitCode = bars.every(passes) ? 0 : 1;

function printEdits(edits: readonly MeasuredEdit[]): string {
  const kinds: readonly MadeEdit["kind"][] = ["typing", "rename", "signature", "repeat"];
  const row = (name: string, own: readonly MeasuredEdit[]) => {
    const figures = (["cpuMs", "wallMs"] as const).map((figure) => {
      const times = own.map((one) => one[figure]);
      return [0.5, 0.95].map((share) => percentile(times, share).toFixed(1)).join(", ");
    });
    const offered = `${((100 * own.filter(({ isOffered }) => isOffered).length) / Math.max(1, own.length)).toFixed(0)} %`;
    return name.padEnd(10) + [own.length, offered, ...figures].map((cell) => String(cell).padStart(17)).join("");
  };
  return [
    "edit".padEnd(10) +
      ["edits", "with an answer", "CPU ms p50, p95", "wall ms p50, p95"].map((cell) => cell.padStart(17)).join(""),
    ...kinds.map((kind) =>
      row(
        kind,
        edits.filter((edit) => edit.kind === kind),
      ),
    ),
    row("all", edits),
  ].join("\n");
}

/** The texts of a folder, by the rules of the tool itself for what is read. */
async function textsIn(root: string): Promise<ReadonlyMap<string, string>> {
  const { paths, readText } = await openWorkspace(root);
  const found = new Map<string, string>();
  for (const path of paths) {
    const text = await readText(path);
    if (text !== undefined && isLearnable(path, text)) found.set(path, text);
  }
  return found;
}
