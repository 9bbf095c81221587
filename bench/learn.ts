/**
 * How fast the built-in model learns a workspace, and what it costs:
 * `npm run bench:learn -- [DIR]`.
 *
 * `bench/README.md` explains the figures.
 */
import { realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readSources, walkWorkspace } from "../src/workspace/index.ts";
import { disk, toPortablePath } from "../src/workspace/node/index.ts";
import { type Bar, printBars } from "./bar.ts";
import {
  emptyModel,
  learnAll,
  measureRelearning,
  measureSnapshot,
  type Source,
  timed,
  usedBytes,
} from "./learn/measure-learning.ts";
import { measureCommand, measureStart } from "./learn/measure-start.ts";
import { percentile } from "./percentile.ts";
import { openRepositories } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "5" },
    command: { type: "boolean", default: false },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
if (positionals.length > 1 || !(runs >= 1)) {
  console.error(`npm run bench:learn -- [DIR] [options]
  DIR          the workspace; default: this repository
  --repositories CLONES  where the clones lie; DIR above is then a name in repositories.json
  --runs N     how often each time is taken; default: 5
  --command    also runs the built command line, which must have been built
  --json FILE  writes all figures`);
  process.exit(2);
}
using opened = openRepositories("learn", { chosen: positionals, clones: values.repositories });
const root = toPortablePath(realpathSync(opened.folders[0] ?? fileURLToPath(new URL("..", import.meta.url))));

// Memory first, while nothing else is there; each file's text is dropped as soon as it is learnt.
const before = usedBytes();
const learnt = await learnFromDisk();
const grownBytes = usedBytes() - before;
const { statistics } = learnt;

const sources = await readAll();
const bytes = sources.reduce((sum, { size }) => sum + size, 0);
const lines = sources.reduce((sum, { text }) => sum + text.split("\n").length, 0);
if (bytes === 0) throw new Error(`${root} has no source in a known language`);

learnAll(sources);
const speeds = Array.from({ length: runs }, () => {
  globalThis.gc?.();
  const { cpuS, wallS } = timed(() => learnAll(sources));
  return { cpu: bytes / 1e6 / cpuS, wall: bytes / 1e6 / wallS };
});
// The snapshot first: forgetting leaves gaps in the tables until they are made again.
const snapshot = measureSnapshot(learnt);
const relearning = measureRelearning(learnt, sources, 200);
const start = await measureStart(root, runs);
const command = values.command ? await measureCommand(root, middlePlace(sources), runs) : undefined;

const figures = {
  files: sources.length,
  lines,
  bytes,
  tokens: statistics.tokens,
  distinctTokens: statistics.distinctTokens,
  megabytesPerCpuSecond: percentile(
    speeds.map(({ cpu }) => cpu),
    0.5,
  ),
  megabytesPerSecond: percentile(
    speeds.map(({ wall }) => wall),
    0.5,
  ),
  tableBytes: statistics.bytes,
  grownBytes,
  relearning,
  snapshot,
  start,
  ...(command && { command }),
};
const bars: Bar[] = [
  { name: "MB of source a CPU second", value: figures.megabytesPerCpuSecond, bar: 4, sense: "at-least" },
  { name: "memory, times the source", value: grownBytes / bytes, bar: 12, sense: "at-most" },
  { name: "kept index, times the source", value: start.keptBytes / bytes, bar: 5, sense: "at-most" },
  { name: "forget and learn a file, p95 ms", value: relearning.p95, bar: 20, sense: "below" },
  { name: "the same, longest file, ms", value: relearning.longest.median, bar: 20, sense: "below" },
  { name: "cold start / warm start", value: start.coldMs / start.warmMs, bar: 10, sense: "at-least" },
  ...(command === undefined
    ? []
    : ([
        { name: "command line, cold, s", value: command.coldMs / 1000, bar: 3, sense: "below" },
        { name: "command line, warm, s", value: command.warmMs / 1000, bar: 0.5, sense: "below" },
      ] as const)),
];

console.log(print());
if (values.json !== undefined) {
  const file = { bench: "learn", node: process.version, runs, ...figures, bars };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

async function pathsOf(): Promise<{ readonly paths: string[]; readonly size: number }> {
  const paths: string[] = [];
  let size = 0;
  for await (const item of walkWorkspace(root, { fileSystem: disk })) {
    if (item.kind === "skipped") continue;
    paths.push(item.path);
    size += item.size;
  }
  return { paths, size };
}

async function readAll(): Promise<Source[]> {
  const all: Source[] = [];
  for await (const answer of readSources(root, (await pathsOf()).paths, { fileSystem: disk })) {
    if (answer.kind === "source") all.push(answer);
  }
  return all;
}

async function learnFromDisk() {
  const { paths, size } = await pathsOf();
  const model = emptyModel(size);
  for await (const answer of readSources(root, paths, { fileSystem: disk })) {
    if (answer.kind === "source") model.learn(answer.path, answer.language, answer.text);
  }
  return model;
}

/** The end of the middle line of the file in the middle, as the command line takes it. */
function middlePlace(all: readonly Source[]): string {
  const { path, text } = all[all.length >> 1]!;
  const rows = text.split(/\r?\n/);
  const row = rows.length >> 1;
  return `${path}:${row + 1}:${rows[row]!.length + 1}`;
}

function print(): string {
  const { megabytesPerCpuSecond, megabytesPerSecond, tableBytes } = figures;
  const megabytes = (count: number) => `${(count / 1e6).toFixed(2)} MB`;
  const times = (count: number) => `${megabytes(count)}, ${(count / bytes).toFixed(2)} times the source`;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const { median, p95, max, longest } = relearning;
  const rows: readonly (readonly [string, string])[] = [
    ["source", `${sources.length} files, ${lines.toLocaleString("en")} lines, ${megabytes(bytes)}`],
    [
      "tokens",
      `${statistics.tokens.toLocaleString("en")}, ${statistics.distinctTokens.toLocaleString("en")} different`,
    ],
    ["learning", `${megabytesPerCpuSecond.toFixed(2)} MB a CPU second, ${megabytesPerSecond.toFixed(2)} MB a second`],
    ["tables", times(tableBytes)],
    ["memory", times(grownBytes)],
    ["forget and learn", `median ${ms(median)}, p95 ${ms(p95)}, slowest ${ms(max)} of ${relearning.files} files`],
    ["longest file", `${ms(longest.median)}, ${megabytes(longest.bytes)}, ${longest.path}`],
    ["snapshot", `${times(snapshot.bytes)}; taken in ${ms(snapshot.toMs)}, restored in ${ms(snapshot.fromMs)}`],
    ["kept index", `${times(start.keptBytes)}; written in ${ms(start.saveMs)}`],
    ["start", `cold ${ms(start.coldMs)}, warm ${ms(start.warmMs)}`],
    ...(command === undefined
      ? []
      : [["command line", `cold ${ms(command.coldMs)}, warm ${ms(command.warmMs)}`] as const]),
  ];
  return `${rows.map(([name, value]) => `${name.padEnd(18)}${value}`).join("\n")}\n\n${printBars(bars)}`;
}
