/**
 * Replays recorded answers of models: `npm run bench:answers -- FILE`.
 *
 * `bench/README.md` describes what is compared.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { languageOf } from "../src/syntax/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { minimalEdit, toUnifiedDiff } from "../src/text/index.ts";
import { explanationOf } from "./answers/explanations.ts";
import { placingBars } from "./answers/placing-bars.ts";
import { type RecordedAnswer, readAnswers } from "./answers/recorded-answer.ts";
import { type Replay, replay } from "./answers/replay.ts";
import { syntaxBar } from "./answers/syntax-bar.ts";
import { type Bar, passes, printBars } from "./bar.ts";

const usage = `npm run bench:answers -- FILE [options]
  FILE         recorded answers, one JSON object a line
  --show ID    prints what became of one answer
  --json FILE  writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "string" }, json: { type: "string" } },
});
const [file] = positionals;
if (file === undefined) {
  console.error(usage);
  process.exit(2);
}
const answers = readAnswers(file);
if (values.show !== undefined) {
  for (const one of answers.filter(({ id }) => id === values.show)) show(one, replay(one));
  process.exit(0);
}

const replays = answers.map((recorded) => ({ recorded, result: replay(recorded) }));
const tallies = tally();
printTallies();
printOthers();
printRepeated();
await printSyntax();
const bars = [...answerBars(), ...placingBars(), await syntaxBar()];
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const cases = replays.map(({ recorded: { id, format, check }, result: { verdict } }) => ({
    id,
    format,
    check,
    verdict,
  }));
  const content = { bench: "answers", node: process.version, tallies: Object.fromEntries(tallies), bars, cases };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

interface Tally {
  cases: number;
  matched: number;
  refused: number;
  differing: number;
  accepted: number;
  reported: number;
  lenient: number;
}

/** A row for each format and way of knowing what is right. */
function tally(): ReadonlyMap<string, Tally> {
  const rows = new Map<string, Tally>();
  for (const { recorded, result } of replays) {
    const key = `${recorded.format} ${recorded.check}`;
    const row = rows.get(key) ?? {
      cases: 0,
      matched: 0,
      refused: 0,
      differing: 0,
      accepted: 0,
      reported: 0,
      lenient: 0,
    };
    rows.set(key, row);
    row.cases++;
    row[result.verdict]++;
    if (result.normalizations.length > 0) row.lenient++;
  }
  return rows;
}

function printTallies(): void {
  const columns = ["cases", "matched", "refused", "differing", "accepted", "reported", "lenient"] as const;
  const width = Math.max(...[...tallies.keys()].map((key) => key.length));
  console.log(`${"".padEnd(width)} ${columns.map((name) => name.padStart(9)).join(" ")}`);
  for (const [key, row] of tallies) {
    console.log(`${key.padEnd(width)} ${columns.map((name) => `${row[name]}`.padStart(9)).join(" ")}`);
  }
}

/** The answers that did not come out as they should, and why where that is meant. */
function printOthers(): void {
  const others = replays.filter(({ result }) => result.verdict !== "matched" && result.verdict !== "reported");
  if (others.length > 0) console.log("");
  for (const { recorded, result } of others) {
    const kinds = result.refusals.map(({ kind }) => kind).join(", ");
    const why = explanationOf(recorded, result) ?? "";
    console.log(
      `${result.verdict.padEnd(9)} ${recorded.check} ${recorded.id}${kinds && ` (${kinds})`}${why && `: ${why}`}`,
    );
  }
}

/**
 * The answers that came out by a rule of their own tool, which placing does not take by default.
 */
function printRepeated(): void {
  const taken = replays.filter(({ result }) => result.normalizations.some(({ kind }) => kind === "repeated"));
  if (taken.length === 0) return;
  console.log(`\nrefused as ambiguous but for aider's rule that the first of several places is meant: ${taken.length}`);
  for (const { recorded, result } of taken) console.log(`${result.verdict.padEnd(9)} ${recorded.check} ${recorded.id}`);
}

function answerBars(): readonly Bar[] {
  const share = (name: string, holds: (recorded: RecordedAnswer) => boolean, bar: number): readonly Bar[] => {
    const found = replays.filter(({ recorded }) => holds(recorded));
    const matched = found.filter(({ result }) => result.verdict === "matched").length;
    return found.length === 0 ? [] : [{ name, value: (100 * matched) / found.length, bar, sense: "at-least" }];
  };
  const missing = replays.filter(({ recorded }) => recorded.isRefused && recorded.check === "verified-missing");
  const silent = missing.filter(({ result }) => result.verdict === "accepted").length;
  const strange = replays.filter(
    ({ recorded, result }) =>
      ["upstream", "window-verified"].includes(recorded.check) &&
      !["matched", "reported"].includes(result.verdict) &&
      explanationOf(recorded, result) === undefined,
  );
  return [
    ...share("exact answers that come out byte for byte, %", ({ check }) => check === "exact", 100),
    { name: "answers accepted whose old text is not there", value: silent, bar: 0, sense: "at-most" },
    ...share("v4a, %", ({ format }) => format === "v4a", 94),
    { name: "others that differ, and nobody says why", value: strange.length, bar: 0, sense: "at-most" },
  ];
}

/** Tells of which answers that break the syntax of a file a check of the new text takes notice. */
async function printSyntax(): Promise<void> {
  const breaking = replays.filter(({ recorded, result }) => recorded.breaksSyntax && result.verdict === "matched");
  if (breaking.length === 0) return;
  const syntax = openSyntax();
  const missed: string[] = [];
  for (const { recorded, result } of breaking) {
    const path = recorded.path!;
    const language = languageOf(path).id;
    const errors = async (text: string) => (await syntax.syntaxErrors({ uri: path, language, text })).length;
    const isSeen = (await errors(result.files.get(path)!)) > (await errors(recorded.files.get(path)!));
    if (!isSeen) missed.push(recorded.id);
  }
  syntax[Symbol.dispose]();
  console.log(`\nsyntax that breaks is seen in ${breaking.length - missed.length} of ${breaking.length} answers`);
  for (const id of missed) console.log(`unseen    ${id}`);
}

function show(recorded: RecordedAnswer, result: Replay): void {
  console.log(`${recorded.id}: ${result.verdict}\n\n${recorded.answer}`);
  for (const { kind, message, row, path } of [...result.normalizations, ...result.refusals]) {
    console.log(
      `${kind}${path === undefined ? "" : ` ${path}`}${row === undefined ? "" : `, row ${row + 1}`}: ${message}`,
    );
  }
  for (const { message, nearest } of result.refusals) {
    for (const { start, lines } of nearest ?? [])
      console.log(`\n${message}\n${lines.map((line, i) => `${start + i + 1}\t${line}`).join("\n")}`);
  }
  for (const [path, expected] of recorded.filesAfter ?? []) {
    const found = result.files.get(path) ?? "";
    if (found !== expected) console.log(toUnifiedDiff({ path, before: expected, after: found }));
    else
      console.log(
        `${path} is as it should be, ${minimalEdit(recorded.files.get(path) ?? "", found).edits.length} changes`,
      );
  }
}
