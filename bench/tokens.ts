/**
 * What the same real changes cost in every format: `npm run bench:tokens -- REPO...`.
 *
 * `bench/README.md` describes what is compared.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openTokenCounter } from "../src/context/index.ts";
import { fileLines, formats } from "../src/formats/index.ts";
import { diffSequences, EmendError } from "../src/text/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { percentile } from "./percentile.ts";
import { openRepositories } from "./repositories.ts";
import { type FileCase, fileCases, maxChangedLines } from "./tokens/file-changes.ts";

const usage = `npm run bench:tokens -- REPO... [options]
  REPO                git repositories with their history, bare or not
  --repositories CLONES  where the clones lie that repositories.json lists for it; REPO is then the name of one
  --count N           changes of files in all, evenly from the repositories; default: 240
  --seed N            which of them; default: 1
  --json FILE         writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string", default: "240" },
    seed: { type: "string", default: "1" },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const count = Number(values.count);
const seed = Number(values.seed);
if ((positionals.length === 0 && values.repositories === undefined) || !(count > 0) || Number.isNaN(seed)) {
  console.error(usage);
  process.exit(2);
}

using opened = openRepositories("tokens", { chosen: positionals, clones: values.repositories });
const { folders } = opened;

/** The tokens of each case in one format; `undefined` where the format cannot say it. */
interface Column {
  readonly name: string;
  readonly tokens: readonly (number | undefined)[];
  /**
   * The tokens of all files as they are shown, against their bare texts, and of the instructions.
   */
  readonly shown?: number;
  readonly instructions?: number;
}

const counter = await openTokenCounter("o200k_base");
const cases = folders.flatMap((folder) => fileCases(folder, { count: Math.ceil(count / folders.length), seed }));
const bare = cases.map((one) => counter.count(bareRanges(one)));
const plain = sum(cases.map(({ before }) => counter.count(before)));
const columns: readonly Column[] = [
  { name: "new lines alone", tokens: cases.map((one) => counter.count(newLines(one))) },
  { name: "bare ranges", tokens: bare },
  ...formats.map((format) => ({
    name: format.name,
    // One short path, so that its length does not count.
    tokens: cases.map(({ before, after, path }) => {
      const answer = tryEncode(() => format.encode([{ before, after, path: `a${/\.\w+$/.exec(path)?.[0] ?? ""}` }]));
      return answer === undefined ? undefined : counter.count(answer);
    }),
    shown: sum(cases.map(({ before }) => counter.count(format.showFile({ path: "a", text: before })))) / plain,
    instructions: counter.count(format.instructions),
  })),
];
const rows = columns.map(summaryOf).sort((a, b) => a.relative - b.relative);
const of = (value: (one: FileCase) => number) => percentile(cases.map(value), 0.5);
console.log(
  `${cases.length} changes of at most ${maxChangedLines} lines; medians: ${of(({ before }) => fileLines(before).length)} lines of file, ${of(({ changedLines }) => changedLines)} changed, ${of(({ hunks }) => hunks)} places`,
);
console.log(
  `${"format".padEnd(16)} ${"writable".padStart(8)} ${"median".padStart(8)} ${"p90".padStart(8)} ${"total".padStart(8)} ${"shown".padStart(8)} ${"instructions".padStart(12)}`,
);
for (const { name, writable, median, p90, relative, shown, instructions } of rows) {
  const figures = [
    `${writable}`.padStart(8),
    `${median}`.padStart(8),
    `${p90}`.padStart(8),
    relative.toFixed(2).padStart(8),
  ];
  const prompt = shown === undefined ? [] : [shown.toFixed(2).padStart(8), `${instructions}`.padStart(12)];
  console.log([name.padEnd(16), ...figures, ...prompt].join(" "));
}
const range = rows.find(({ name }) => name === "range")!;
const bars: readonly Bar[] = [
  { name: "range, total of bare ranges", value: range.relative, bar: 1.3, sense: "at-most" },
  {
    name: "range, share of changes that it can write",
    value: range.writable / cases.length,
    bar: 0.98,
    sense: "at-least",
  },
];
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = { bench: "tokens", node: process.version, cases: cases.length, seed, rows, bars };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

function summaryOf({ name, tokens, ...prompt }: Column) {
  const writable = tokens.filter((one) => one !== undefined);
  const least = bare.filter((_, i) => tokens[i] !== undefined);
  return {
    name,
    writable: writable.length,
    median: percentile(writable, 0.5),
    p90: percentile(writable, 0.9),
    /** All written text, against bare ranges of the same changes. */
    relative: sum(writable) / sum(least),
    ...prompt,
  };
}

/**
 * The least that names lines and gives new ones: numbers in a row of their own, and the lines as
 * they are.
 */
function bareRanges({ before, after }: FileCase): string {
  const [lines, linesAfter] = [fileLines(before), fileLines(after)];
  const rows = diffSequences(lines, linesAfter).flatMap(({ beforeStart, beforeEnd, afterStart, afterEnd }) => [
    `${beforeStart + 1}-${beforeEnd}`,
    ...linesAfter.slice(afterStart, afterEnd),
  ]);
  return `${rows.join("\n")}\n`;
}

function newLines({ before, after }: FileCase): string {
  const linesAfter = fileLines(after);
  const fresh = diffSequences(fileLines(before), linesAfter).flatMap((hunk) =>
    linesAfter.slice(hunk.afterStart, hunk.afterEnd),
  );
  return `${fresh.join("\n")}\n`;
}

function tryEncode(encode: () => string): string | undefined {
  try {
    return encode();
  } catch (error) {
    if (error instanceof EmendError && error.code === "not-encodable") return undefined;
    throw error;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
