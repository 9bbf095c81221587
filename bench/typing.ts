/**
 * What typing through the language server is like: `npm run bench:typing -- [FOLDER]`.
 *
 * `bench/README.md` explains the figures.
 */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { toPortablePath } from "../src/workspace/node/index.ts";
import { type Bar, printBars } from "./bar.ts";
import { percentile } from "./percentile.ts";
import { chooseFiles, readFolder, type SourceFile } from "./typing/choose-files.ts";
import type { DisplayCounts } from "./typing/ghost-display.ts";
import { ScriptedSlowServer } from "./typing/scripted-slow-server.ts";
import { TypingClient, type TypingPace } from "./typing/typing-client.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: "string", default: "15000" },
    "slow-keys": { type: "string", default: "600" },
    json: { type: "string" },
  },
});
const keys = Number(values.keys);
const slowKeys = Number(values["slow-keys"]);
if (positionals.length > 1 || !(keys >= 100) || !(slowKeys >= 50)) {
  console.error(`npm run bench:typing -- [FOLDER] [options]
  FOLDER         whose files are typed; default: Emend's own sources
  --keys N       how many keys are typed against the built-in model; default: 15000
  --slow-keys N  how many against the slow server, at a person's pace; default: 600
  --json FILE    writes all figures`);
  process.exit(2);
}
const repository = fileURLToPath(new URL("..", import.meta.url));
const main = join(repository, "dist/cli/main.js");
if (!existsSync(main)) throw new Error("The command line is not built; run `npm run build` first");
const folder = toPortablePath(realpathSync(positionals[0] ?? join(repository, "src")));

/** Milliseconds. */
interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** After so many keys the garbage is collected, and what is left is counted. */
const heapEvery = 50;

/** What typing came to, with one choice of models. */
interface Typing {
  readonly models: readonly string[];
  readonly keys: number;
  /** From a key to the answer about it, where that came before the next key. */
  readonly answerMs: Times;
  /** The same for answers that were suggestions. */
  readonly suggestionMs: Times;
  /** From a key that left nothing to be seen to the next ghost text, however many keys later. */
  readonly blankMs: Times;
  /** Keys that were answered in time, and keys before which ghost text was there, as shares. */
  readonly answered: number;
  readonly shown: number;
  readonly display: DisplayCounts;
  /** Requests to the model's server for 100 keys; only where there is one. */
  readonly requestsPer100?: number;
  readonly abandonedPer100?: number;
  /**
   * Heap and buffers within the second tenth of the keys, and within the last, medians; and the
   * most of the process. Bytes.
   */
  readonly heap: { readonly early: number; readonly late: number; readonly rss: number };
}

const sources = await readFolder(folder);
const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-typing-")));
let typings: readonly Typing[];
try {
  const builtin = await measure("builtin", keys, ["builtin"], hurried());
  await using slow = await ScriptedSlowServer.open({ firstMs: 300, pieceMs: 15 });
  const alone = await measure("slow", slowKeys, [slow.model], human(), slow);
  const drafted = await measure("drafted", slowKeys, [slow.model, "builtin"], human(), slow);
  typings = [builtin, alone, drafted];
} finally {
  rmSync(top, { recursive: true, force: true });
}

const flicker = ({ display }: Typing) => display.replaced + display.vanished;
const [builtin, alone, drafted] = typings as readonly [Typing, Typing, Typing];
const bars: Bar[] = [
  { name: "built-in, key to suggestion, p95 ms", value: builtin.suggestionMs.p95, bar: 30, sense: "below" },
  { name: "built-in, flicker", value: flicker(builtin), bar: 0, sense: "at-most" },
  { name: "scripted-slow, flicker", value: flicker(alone), bar: 0, sense: "at-most" },
  { name: "scripted-slow and built-in, flicker", value: flicker(drafted), bar: 0, sense: "at-most" },
  { name: "heap, late / early", value: builtin.heap.late / builtin.heap.early, bar: 1.25, sense: "below" },
];
console.log(print());
if (values.json !== undefined) {
  const file = { bench: "typing", node: process.version, folder: positionals[0] ?? "src", typings, bars };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

/** Types files of the folder into a workspace that has all the others. */
async function measure(
  name: string,
  wanted: number,
  models: readonly string[],
  pace: TypingPace,
  server?: ScriptedSlowServer,
): Promise<Typing> {
  const typed = chooseFiles(sources, wanted);
  const root = join(top, name);
  copyWithout(root, typed);
  const { EMEND_MODEL: _, ...inherited } = process.env;
  const environment = {
    ...inherited,
    ...{ EMEND_CACHE_DIR: join(top, `${name}-cache`), XDG_CONFIG_HOME: join(top, "config") },
  };
  const before = { ...server?.counts };
  await using client = await TypingClient.start({ main, root: toPortablePath(root), models, environment });
  const heaps: number[] = [];
  let rss = 0;
  for (const file of typed) {
    if (client.keys.length >= wanted) break;
    if (server !== undefined) server.truth = file.text;
    await client.type(file, {
      pace,
      maxKeys: wanted - client.keys.length,
      async onKey() {
        if (client.keys.length % heapEvery !== 0) return;
        const { memory } = await client.status();
        heaps.push(memory.heapUsed + memory.arrayBuffers);
        rss = Math.max(rss, memory.rss);
      },
    });
  }
  const count = client.keys.length;
  const answers = client.keys.filter(({ answerMs }) => answerMs !== undefined);
  const timesOf = (list: typeof answers) => times(list.map(({ answerMs }) => answerMs!));
  const tenth = Math.max(1, Math.floor(heaps.length / 10));
  return {
    models: models.map((model) => (model.endsWith("#scripted-slow") ? "scripted-slow" : model)),
    keys: count,
    answerMs: timesOf(answers),
    suggestionMs: timesOf(answers.filter(({ isOffered }) => isOffered)),
    blankMs: times(client.blanksMs),
    answered: answers.length / count,
    shown: client.display.counts.shown / count,
    display: client.display.counts,
    ...(server && {
      requestsPer100: (100 * (server.counts.requests - before.requests!)) / count,
      abandonedPer100: (100 * (server.counts.abandoned - before.abandoned!)) / count,
    }),
    heap: { early: percentile(heaps.slice(tenth, 2 * tenth), 0.5), late: percentile(heaps.slice(-tenth), 0.5), rss },
  };
}

function times(all: readonly number[]): Times {
  return { p50: percentile(all, 0.5), p95: percentile(all, 0.95), max: Math.max(0, ...all) };
}

/** A workspace with all sources but those that are going to be typed. */
function copyWithout(root: string, typed: readonly SourceFile[]): void {
  mkdirSync(join(root, ".git"), { recursive: true });
  const left = new Set(typed.map(({ path }) => path));
  for (const { path, text } of sources) {
    if (left.has(path)) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** As fast as there are answers: what comes within milliseconds needs no wait. */
function hurried(): TypingPace {
  return { keyMs: () => 40, hurries: true };
}

/**
 * A practised typist: about 120 milliseconds from key to key, more or less by chance, the same on
 * every run.
 */
function human(): TypingPace {
  let state = 1;
  return {
    hurries: false,
    keyMs() {
      state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
      return 60 + (state / 2_147_483_647) * 120;
    },
  };
}

function print(): string {
  const ms = ({ p50, p95, max }: Times) => `${p50.toFixed(1)} / ${p95.toFixed(1)} / ${max.toFixed(0)}`;
  const share = (value: number) => `${(100 * value).toFixed(1)} %`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const rows: readonly (readonly [string, (typing: Typing) => string])[] = [
    ["keys", (typing) => typing.keys.toLocaleString("en")],
    ["key to suggestion, p50 / p95 / max ms", (typing) => ms(typing.suggestionMs)],
    ["key to any answer, p50 / p95 / max ms", (typing) => ms(typing.answerMs)],
    ["nothing to be seen, p50 / p95 / max ms", (typing) => ms(typing.blankMs)],
    ["keys answered before the next", (typing) => share(typing.answered)],
    ["keys with ghost text before the next", (typing) => share(typing.shown)],
    ["ghost text typed to its end", (typing) => String(typing.display.typedThrough)],
    ["replaced while it was typed (flicker)", (typing) => String(typing.display.replaced)],
    ["gone while it was typed (flicker)", (typing) => String(typing.display.vanished)],
    ["requests to the server per 100 keys", (typing) => typing.requestsPer100?.toFixed(1) ?? "-"],
    ["of them given up", (typing) => typing.abandonedPer100?.toFixed(1) ?? "-"],
    ["heap and buffers, early / late", ({ heap }) => `${megabytes(heap.early)} / ${megabytes(heap.late)}`],
    ["process, at most", ({ heap }) => megabytes(heap.rss)],
  ];
  const head = typings.map(({ models }) => models.join(", "));
  const width = Math.max(26, ...head.map(({ length }) => length + 2));
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(40) + cells.map((cell) => cell.padStart(width)).join("");
  const table = [line("", head), ...rows.map(([name, cell]) => line(name, typings.map(cell)))];
  return `${table.join("\n")}\n\n${printBars(bars)}`;
}
