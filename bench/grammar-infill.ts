/**
 * How often a hole that the built-in model fills makes a program:
 * `npm run bench:grammar:infill -- FILE.jsonl`.
 *
 * Each hole is filled twice within the same budget of bytes and lines: with what the model answers,
 * and with what it answers where the language's grammar allows nothing else. The language's own
 * parser judges the whole file.
 */
import { existsSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seededRandom } from "../scripts/train/seeded-random.ts";
import {
  agreedEnd,
  type CompiledGrammar,
  FillSession,
  type GuidedEnd,
  guidedText,
  HoleGuide,
} from "../src/grammar/index.ts";
import { grammarFor } from "../src/grammar/node/index.ts";
import { BuiltinModel } from "../src/model/index.ts";
import { languageOf } from "../src/syntax/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { type Bar, printBars } from "./bar.ts";
import { editSimilarity } from "./complete/scores.ts";
import { cutHoles, type InfillCase, isFolder, readInfillCases, readTexts } from "./grammar/infill-cases.ts";
import { mean, percentile } from "./percentile.ts";

const usage = `npm run bench:grammar:infill -- FILE.jsonl|FOLDER [options]
  FILE.jsonl    a case a line: {"path", "language", "prefix", "suffix", "middle"}; the language is optional
  FOLDER        holes are cut in its files: the rest of a line, some tokens, some lines
  --language ID only cases of this language
  --limit N     the most cases; default: 300
  --seed N      for cutting holes; default: 1
  --show        prints every case that does not parse
  --json FILE   writes all figures and all fillings`;

const { values, positionals } = parsedArguments();
const [source] = positionals;
const limit = Number(values.limit);
if (positionals.length !== 1 || source === undefined) fail("Name one folder or one file of cases.");
if (!Number.isInteger(limit) || limit < 1) fail(`--limit is a number from 1 on, not ${values.limit}.`);
if (!Number.isInteger(Number(values.seed))) fail(`--seed is a whole number, not ${values.seed}.`);
if (!existsSync(source)) fail(`There is no file or folder ${source}.`);
/** Longer files are not cut. UTF-16 units. */
const maxCharacters = 60_000;

/** The least budget of a hole. */
const leastBytes = 40;

/** A way in which a hole was filled. */
interface Filling {
  readonly text: string;
  readonly parses: boolean;
  readonly similarity: number;
  /** Of processor time. */
  readonly ms: number;
}

interface InfillResult {
  readonly path: string;
  readonly language: string;
  readonly middle: string;
  readonly plain: Filling;
  readonly guided: Filling &
    Pick<GuidedEnd, "kind" | "requests"> & { readonly refusals: number; readonly isMended: boolean };
}

const syntax = openSyntax();
const sessions = new Map<string, FillSession>();
/** Cases that say nothing of the model, by why. */
const leftOut: Record<string, number> = {};
const results: InfillResult[] = [];
const { cases, texts } = load(source);
const model = new BuiltinModel({ expectedCharacters: [...texts.values()].reduce((sum, text) => sum + text.length, 0) });
for (const [path, text] of texts) model.learn(path, languageOf(path).id, text);
for (const one of cases) {
  if (results.length >= limit) break;
  if (values.language !== undefined && languageIn(one) !== values.language) continue;
  const result = await fill(one);
  if (typeof result === "string") leftOut[result] = (leftOut[result] ?? 0) + 1;
  else results.push(result);
}
syntax[Symbol.dispose]();
report();
process.exitCode = results.length > 0 && results.every(({ guided }) => guided.parses) ? 0 : 1;

function load(from: string): { readonly cases: readonly InfillCase[]; readonly texts: ReadonlyMap<string, string> } {
  if (!isFolder(from)) {
    const read = casesIn(from);
    return { cases: read, texts: new Map(read.map((one) => [one.path, one.prefix + one.middle + one.suffix])) };
  }
  const found = readTexts(from, (path) => languageOf(path).id !== "plaintext" && !path.endsWith("package-lock.json"));
  const random = seededRandom(Number(values.seed));
  const cut = [...found].flatMap(([path, text]) =>
    text.length > maxCharacters ? [] : cutHoles(path, text, random).map((one) => ({ one, order: random() })),
  );
  return { cases: cut.sort((a, b) => a.order - b.order).map(({ one }) => one), texts: found };
}

function languageIn({ language, path }: InfillCase): string {
  return language ?? languageOf(path).id;
}

function casesIn(file: string): readonly InfillCase[] {
  try {
    return readInfillCases(file);
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Fills the hole of a case, or returns why it is left out. */
async function fill(one: InfillCase): Promise<InfillResult | string> {
  const { path, prefix, suffix, middle } = one;
  const language = languageIn(one);
  const grammar = await grammarFor(language);
  if (grammar === undefined) return `no grammar for ${language}`;
  if (!(await parses(path, language, prefix + middle + suffix))) return "the file itself does not parse";
  const budget = {
    maxBytes: Math.max(leastBytes, 2 * new TextEncoder().encode(middle).length),
    maxLines: Math.max(1, middle.trimEnd().split("\n").length),
  };
  const plain = await measured(async () => ({ text: modelText(one, language, budget) }));
  const guided = await measured(async () => fillGuided(sessionOf(language, grammar), one, language, budget));
  if (guided.kind === "dead") return `the hole does not open: ${guided.why}`;
  const judge = async (text: string) => ({
    parses: await parses(path, language, prefix + text + suffix),
    similarity: editSimilarity(text.trim(), middle.trim()),
  });
  const result: InfillResult = {
    ...{ path, language, middle },
    plain: { ...plain, ...(await judge(plain.text)) },
    guided: { ...guided, ...(await judge(guided.text)) },
  };
  if (values.show && !result.guided.parses) console.log(JSON.stringify({ ...one, guided: result.guided }));
  return result;
}

interface Budget {
  readonly maxBytes: number;
  readonly maxLines: number;
}

/** What the model answers by itself, cut at the budget. */
function modelText({ path, prefix, suffix }: InfillCase, language: string, { maxBytes, maxLines }: Budget): string {
  const answer = model.complete({ path, language, prefix, suffix, maxLines, minProbability: 0 });
  const text = answer.kind === "offered" ? answer.completions[0].text : "";
  return new TextDecoder().decode(new TextEncoder().encode(text).subarray(0, maxBytes)).replace(/\uFFFD$/, "");
}

async function fillGuided(
  session: FillSession,
  { path, prefix, suffix }: InfillCase,
  language: string,
  { maxBytes, maxLines }: Budget,
) {
  const opening = session.open({ before: prefix, behind: suffix });
  if (opening.kind !== "open") return { kind: "dead" as const, why: opening.kind, text: "" };
  const guide = new HoleGuide(opening.hole, { maxBytes });
  const parts = guidedText({
    guide,
    async *ask(soFar) {
      const answer = model.complete({
        ...{ path, language, suffix, minProbability: 0 },
        prefix: prefix + soFar,
        maxLines: Math.max(1, maxLines - (soFar.split("\n").length - 1)),
        guide: { allows: (text) => guide.allows(soFar + text), mayEnd: (text) => guide.mayEnd(soFar + text) },
      });
      if (answer.kind !== "offered") return "finished";
      yield answer.completions[0].text;
      return answer.completions[0].isUnfinished ? "cut" : "finished";
    },
  });
  for (;;) {
    const part = await parts.next();
    if (part.done !== true) continue;
    const { kind, text, ending = "", requests, refusals } = part.value;
    const isMended = !(await parses(path, language, prefix + text + suffix));
    const known = { kind, requests, refusals: refusals.length, isMended };
    if (!isMended) return { ...known, text };
    // The language's own parser has the last word.
    const own = text.slice(0, text.length - ending.length);
    const agreed = await agreedEnd(guide, own, (ended) => parses(path, language, prefix + ended + suffix));
    return { ...known, text: agreed?.text ?? text };
  }
}

async function measured<Value>(work: () => Promise<Value>): Promise<Value & { readonly ms: number }> {
  const before = process.cpuUsage();
  const value = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...value, ms: (user + system) / 1000 };
}

async function parses(path: string, language: string, text: string): Promise<boolean> {
  return (await syntax.syntaxErrors({ uri: path, language, text })).length === 0;
}

function sessionOf(language: string, grammar: CompiledGrammar): FillSession {
  const session = sessions.get(language) ?? new FillSession(grammar);
  sessions.set(language, session);
  return session;
}

function report(): void {
  const languages = [...new Set(results.map(({ language }) => language))].sort();
  const rows = [...languages, "all"].map((language) => ({
    language,
    ...summarise(results.filter((result) => language === "all" || result.language === language)),
  }));
  const head = [
    "",
    "holes",
    "parses",
    "guided",
    "alike",
    "guided",
    "exact",
    "guided",
    "ms",
    "guided p50",
    "p95",
    "requests",
  ];
  const cells = rows.map((row) => [
    ...[row.language, String(row.holes), percent(row.plain.parses), percent(row.guided.parses)],
    ...[
      percent(row.plain.similarity),
      percent(row.guided.similarity),
      percent(row.plain.exact),
      percent(row.guided.exact),
    ],
    ...[row.plain.ms.toFixed(1), row.guided.ms.toFixed(1), row.guided.p95.toFixed(1), row.requests.toFixed(2)],
  ]);
  for (const line of [head, ...cells]) {
    console.log(line.map((cell, i) => (i === 0 ? cell.padEnd(18) : cell.padStart(i > 8 ? 11 : 8))).join(""));
  }
  console.log(
    `refused by the parser and ended earlier: ${results.filter(({ guided }) => guided.isMended && guided.parses).length}; nothing found: ${results.filter(({ guided }) => guided.kind === "impossible").length}`,
  );
  for (const [why, count] of Object.entries(leftOut)) console.log(`left out: ${count}, ${why}`);
  if (results.length === 0) fail(`No hole was filled in ${source}.`);
  const all = rows.at(-1)!;
  const bars: Bar[] = [
    { name: "fillings that parse, guided, %", value: 100 * all.guided.parses, bar: 100, sense: "at-least" },
  ];
  console.log(`\n${printBars(bars)}`);
  if (values.json !== undefined) {
    const file = { bench: "grammar-infill", node: process.version, source, rows, leftOut, bars, results };
    writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
  }
}

function summarise(some: readonly InfillResult[]) {
  const of = (way: "plain" | "guided") => ({
    parses: mean(some.map((result) => Number(result[way].parses))),
    similarity: mean(some.map((result) => result[way].similarity)),
    exact: mean(some.map((result) => Number(result[way].text.trim() === result.middle.trim()))),
    ms: percentile(
      some.map((result) => result[way].ms),
      0.5,
    ),
    p95: percentile(
      some.map((result) => result[way].ms),
      0.95,
    ),
  });
  const ends: Record<string, number> = {};
  for (const { guided } of some) ends[guided.kind] = (ends[guided.kind] ?? 0) + 1;
  return {
    holes: some.length,
    plain: of("plain"),
    guided: of("guided"),
    requests: mean(some.map(({ guided }) => guided.requests)),
    ends,
  };
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

/** What was typed, or the end of this run. */
function parsedArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        language: { type: "string" },
        limit: { type: "string", default: "300" },
        seed: { type: "string", default: "1" },
        show: { type: "boolean", default: false },
        json: { type: "string" },
      },
    });
  } catch (error) {
    return fail((error as Error).message);
  }
}

function fail(message: string): never {
  console.error(`${message}\n\n${usage}`);
  process.exit(2);
}
