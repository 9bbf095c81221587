/**
 * How long it takes to say which tokens may come next in a hole:
 * `npm run bench:grammar:mask -- [DIR]`.
 *
 * `bench/README.md` describes what is compared. All times are CPU times.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { seededRandom } from "../scripts/train/seeded-random.ts";
import { compileLanguage } from "../src/grammar/fixtures/compile-language.ts";
import { openHole } from "../src/grammar/hole/fill-session.ts";
import { GrammarVocabulary } from "../src/grammar/masks/grammar-vocabulary.ts";
import { TokenMasker } from "../src/grammar/masks/token-masker.ts";
import type { Vocabulary } from "../src/grammar/masks/token-vocabulary.ts";
import type { CompiledGrammar } from "../src/grammar/tables/compiled-grammar.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { cpuMs } from "./grammar/cpu-time.ts";
import { cuts, type HoleTimes, replay } from "./grammar/replay.ts";
import { tokensOf, vocabularyOf } from "./grammar/vocabulary-of.ts";
import { XGrammarPeer } from "./grammar/web-xgrammar.ts";
import { percentile } from "./percentile.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: "string", default: "typescript" },
    masks: { type: "string", default: "1000" },
    first: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    "peer-masks": { type: "string", default: "40" },
    json: { type: "string" },
  },
});
const least = Number(values.masks);
const first = Number(values.first);
const peerMasks = Number(values["peer-masks"]);
const endings: Record<string, string> = {
  typescript: ".ts",
  tsx: ".tsx",
  javascript: ".js",
  python: ".py",
  json: ".json",
};
const ending = endings[values.language];
if (positionals.length > 1 || !(least > 0) || !(first >= 0) || !(peerMasks >= 0) || ending === undefined) {
  console.error(`npm run bench:grammar:mask -- [DIR] [options]
  DIR             sources to cut holes out of; default: those of this repository
  --language NAME ${Object.keys(endings).join(", ")}; default: typescript
  --masks N       how many masks to time at least; default: 1000
  --first N       how many come before them, while nothing is known yet; default: 1000
  --peer-masks N  how many masks of the other engine's slow grammar; default: 40, 0 for none
  --seed N        which holes; default: 1
  --json FILE     writes all figures`);
  process.exit(2);
}

const folder = positionals[0] ?? fileURLToPath(new URL("../src", import.meta.url));
const suffixLines = 100;
const random = seededRandom(Number(values.seed));

const usedBefore = usedMegabytes();
const [vocabulary, vocabularyMs] = timed(() => vocabularyOf("o200k_base"));
const vocabularyMegabytes = usedMegabytes() - usedBefore;
const grammar = compileLanguage(values.language);
const { of, prepareMs, megabytes } = prepared(grammar, vocabulary);
console.log(
  `o200k_base: ${vocabulary.size} tokens, read in ${vocabularyMs.toFixed(0)} ms, ${vocabularyMegabytes.toFixed(0)} MB`,
);
console.log(`prepared for ${values.language}: ${prepareMs.toFixed(0)} ms, ${megabytes.toFixed(0)} MB`);

const holes = cuts(readSourcesIn(folder, ending), suffixLines, random);
const early = replayUntil(first);
const late = replayUntil(least);
const after = usedMegabytes() - usedBefore;
const all = [...early, ...late];
console.log(
  `${all.length} holes with ${suffixLines} lines behind them; ${sum(all, ({ refused }) => refused)} true tokens refused, ${sum(all, ({ stops }) => (stops ? 0 : 1))} true ends; ${after.toFixed(0)} MB in the end\n`,
);
const rows = [
  rowOf(
    `${values.language}, first masks`,
    early.flatMap(({ maskMs }) => maskMs),
  ),
  rowOf(
    `${values.language}, later masks`,
    late.flatMap(({ maskMs }) => maskMs),
  ),
  rowOf(
    "digesting what stands behind",
    late.map(({ suffixMs }) => suffixMs),
  ),
  rowOf(
    "opening",
    late.map(({ openMs }) => openMs),
  ),
  rowOf(
    "opening again after an edit before it",
    late.map(({ reopenMs }) => reopenMs),
  ),
  ...(await besidePeer()),
];
console.log(
  `${"CPU, ms".padEnd(44)} ${["count", "mean", "p50", "p90", "p99", "most"].map((name) => name.padStart(9)).join("")}`,
);
for (const { name, count, ...figures } of rows) {
  const cells = Object.values(figures).map((value) => value.toFixed(value < 10 ? 3 : 1).padStart(9));
  console.log(`${name.padEnd(44)} ${`${count}`.padStart(9)}${cells.join("")}`);
}
const [, masks, behind, , again] = rows;
const bars: readonly Bar[] = [
  { name: "true tokens refused", value: sum(all, ({ refused }) => refused), bar: 0, sense: "at-most" },
  { name: "mask, median ms", value: masks!.p50, bar: 0.5, sense: "below" },
  { name: "mask, p99 ms", value: masks!.p99, bar: 5, sense: "below" },
  { name: `what stands behind, median ms per ${suffixLines} lines`, value: behind!.p50, bar: 50, sense: "below" },
  { name: "opening again, median ms", value: again!.p50, bar: 10, sense: "below" },
];
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = {
    bench: "grammar-mask",
    node: process.version,
    language: values.language,
    prepareMs,
    megabytes,
    rows,
    bars,
  };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

/** Replays holes until as many masks were made. */
function replayUntil(count: number): readonly HoleTimes[] {
  const times: HoleTimes[] = [];
  let made = 0;
  for (let failures = 0; made < count && failures < 50; ) {
    const cut = holes.next().value;
    if (cut === undefined) break;
    const hole = replay(grammar, of, cut);
    if (hole === undefined) {
      failures++;
      console.error(`${cut.file}: not opened`);
      continue;
    }
    times.push(hole);
    made += hole.maskMs.length;
  }
  return times;
}

/** Both engines on the same texts, from their start and without anything behind. */
async function besidePeer() {
  const peer = await XGrammarPeer.open(tokensOf("o200k_base"));
  const json = encode(readFileSync(fileURLToPath(new URL("../package.json", import.meta.url)), "utf8")).slice(0, 1000);
  const theirs = await peer.json(json);
  const result = [
    rowOf("JSON, no suffix: this engine", fromStart("json", json)),
    rowOf("JSON, no suffix: web-xgrammar", theirs.maskMs),
  ];
  console.log(
    `web-xgrammar: vocabulary ${peer.vocabularyMs.toFixed(0)} ms, JSON compiled in ${theirs.compileMs.toFixed(0)} ms`,
  );
  if (peerMasks === 0) return result;
  const own = dirname(fileURLToPath(import.meta.url));
  const sample = encode(readFileSync(join(own, "grammar/subset-sample.js"), "utf8")).slice(0, peerMasks);
  const subset = await peer.ebnf(readFileSync(join(own, "grammar/javascript-subset.ebnf"), "utf8"), sample);
  console.log(`web-xgrammar: part of JavaScript compiled in ${subset.compileMs.toFixed(0)} ms\n`);
  return [
    ...result,
    rowOf("JavaScript, no suffix: this engine", fromStart("javascript", sample)),
    rowOf("part of JavaScript: web-xgrammar", subset.maskMs),
  ];
}

/** Times of masks from the start of a text, with nothing behind it. */
function fromStart(language: string, tokens: readonly number[]): readonly number[] {
  const compiled = compileLanguage(language);
  const opening = openHole(compiled, { before: "", behind: "" });
  if (opening.kind !== "open") throw new Error(`${language} has no texts: ${opening.kind}`);
  const masker = new TokenMasker(opening.hole, prepared(compiled, vocabulary).of);
  return tokens.map((token, at) => {
    const [, ms] = timed(() => masker.mask());
    if (!masker.accept(token)) throw new Error(`Token ${at} of a text in ${language} is refused.`);
    return ms;
  });
}

function prepared(compiled: CompiledGrammar, tokens: Vocabulary) {
  const before = usedMegabytes();
  const [made, prepareMs] = timed(() => {
    const each = new GrammarVocabulary(compiled, tokens);
    each.prepare();
    return each;
  });
  return { of: made, prepareMs, megabytes: usedMegabytes() - before };
}

function rowOf(name: string, times: readonly number[]) {
  return {
    name,
    count: times.length,
    mean: times.reduce((total, time) => total + time, 0) / Math.max(1, times.length),
    p50: percentile(times, 0.5),
    p90: percentile(times, 0.9),
    p99: percentile(times, 0.99),
    most: percentile(times, 1),
  };
}

function timed<T>(action: () => T): readonly [result: T, ms: number] {
  const started = cpuMs();
  const result = action();
  return [result, cpuMs() - started];
}

function usedMegabytes(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

function readSourcesIn(root: string, wanted: string) {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && extname(entry.name) === wanted)
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes("node_modules"))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, "utf8") }))
    .filter(({ text }) => text.length < 200_000);
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
