/**
 * Whether mistaken boundaries of edits are noticed and repaired: `npm run bench:boundary -- REPO`.
 *
 * `docs/benchmarks.md` says what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { BoundaryAnswer, WitnessedSplice } from "../src/edit/boundary-repair.ts";
import { repairBoundaries } from "../src/edit/repair-boundaries.ts";
import { spliceLines } from "../src/edit/splice-lines.ts";
import { fileLines, type LineSplice } from "../src/formats/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { longFileMs } from "./boundary/long-file.ts";
import { faultRows, printFaultRows } from "./boundary/lost-brackets.ts";
import { type MistakeName, mistakeNames, mistaken } from "./boundary/mistakes.ts";
import { type NewErrors, newErrorsOf } from "./boundary/new-errors.ts";
import { type RealEdit, realEdits } from "./boundary/real-edits.ts";
import { type MistakeResult, type MistakeRow, mistakeRows, printMistakeRows, verdictOf } from "./boundary/tally.ts";
import { witnessed } from "./boundary/witnesses.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
    show: { type: "boolean", default: false },
  },
});
const [repo] = positionals;
if (repo === undefined) throw new Error("Say which repository: npm run bench:boundary -- REPO");

/** What the answers of one kind came to: those with line numbers alone, or those that quote lines. */
interface Section {
  readonly name: "numbers" | "witnesses";
  readonly title: string;
  readonly results: MistakeResult[];
  /** How many correct edits were looked at, how many were doubted, and how many were changed. */
  correct: number;
  doubted: number;
  touched: number;
}

using syntax = openSyntax();
const edits = await realEdits(repo, { count: Number(values.cases), seed: Number(values.seed), syntax });
const sections: readonly Section[] = [
  { name: "numbers", title: "Line numbers alone", results: [], correct: 0, doubted: 0, touched: 0 },
  {
    name: "witnesses",
    title: "Line numbers and the words their lines begin with",
    results: [],
    correct: 0,
    doubted: 0,
    touched: 0,
  },
];
for (const edit of edits) {
  using newErrors = await newErrorsOf(syntax, edit);
  for (const section of sections) await tryEdit(edit, section, newErrors);
}
const rows = sections.map(({ results }) => mistakeRows(results));
const faults = await faultRows(edits, syntax);
const repairMs = await longFileMs(syntax);

console.log(
  `${repo}: ${edits.length} edits of one place, ${edits.filter(({ splice }) => splice.start === splice.end).length} of them insertions`,
);
for (const [at, { title, correct, doubted, touched }] of sections.entries()) {
  console.log(`\n${title}\n${printMistakeRows(rows[at]!)}`);
  console.log(`of ${correct} correct edits ${doubted} doubted and left, ${touched} changed`);
}
console.log(`\nWhere a bracket is lost or doubled, found within two lines\n${printFaultRows(faults)}\n`);
const bars = [...sections.flatMap((section, at) => barsOf(section, rows[at]!.at(-1)!)), repairBar(repairMs)];
console.log(printBars(bars));
if (values.json !== undefined) {
  const told = sections.map(({ name, correct, doubted, touched }, at) => ({
    name,
    correct,
    doubted,
    touched,
    rows: rows[at]!,
  }));
  const content = { bench: "boundary", node: process.version, repo, edits: edits.length, sections: told, faults, bars };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

async function tryEdit(edit: RealEdit, section: Section, newErrors: NewErrors): Promise<void> {
  const lines = fileLines(edit.before);
  const quoted = (written: LineSplice): WitnessedSplice | undefined =>
    section.name === "numbers" ? written : witnessed(lines, edit.splice, written);
  const intended = textOf(lines, edit.splice);
  const correct = quoted(edit.splice);
  if (correct !== undefined) {
    const answer = await repair(edit, correct, newErrors);
    section.correct++;
    if (answer.repairs.length > 0) {
      section.touched++;
      show("correct", edit, answer);
    } else if (answer.doubts.length > 0) {
      section.doubted++;
    }
  }
  for (const name of mistakeNames) {
    const made = mistaken(name, lines, edit.splice);
    const written = made && quoted(made);
    // A line beside its like may be missed without any harm.
    if (written === undefined || textOf(lines, written) === intended) continue;
    const answer = await repair(edit, written, newErrors);
    const verdict = verdictOf(answer, textOf(lines, answer.splices[0]!) === intended);
    const parses = (await newErrors(textOf(lines, written))) === 0;
    section.results.push({ name, parses, verdict });
    if (verdict === "wrong") show(name, edit, answer);
  }
}

function repair(
  { path, language, before }: RealEdit,
  splice: WitnessedSplice,
  newErrors: NewErrors,
): Promise<BoundaryAnswer> {
  return repairBoundaries({ path, language, text: before, splices: [splice] }, newErrors);
}

function textOf(lines: readonly string[], splice: LineSplice): string {
  return `${spliceLines(lines, [splice]).join("\n")}\n`;
}

/** Prints a repair that should not have been. */
function show(name: MistakeName | "correct", { path, commit, splice }: RealEdit, { repairs }: BoundaryAnswer): void {
  if (!values.show) return;
  const [{ before, after, message }] = repairs as [(typeof repairs)[number]];
  const range = ({ start, end }: LineSplice) => `[${start}, ${end})`;
  console.log(`${name}: ${path} of ${commit}, meant ${range(splice)}, written ${range(before)}, made ${range(after)}`);
  console.log(`  ${message}`);
}

function barsOf({ name, correct, touched }: Section, { triggered, exact, wrong }: MistakeRow): Bar[] {
  return [
    {
      name: `${name}: exact where triggered, %`,
      value: (100 * exact) / Math.max(1, triggered),
      bar: 90,
      sense: "at-least",
    },
    { name: `${name}: repaired wrongly`, value: wrong, bar: 0, sense: "at-most" },
    {
      name: `${name}: correct edits changed, %`,
      value: (100 * touched) / Math.max(1, correct),
      bar: 1,
      sense: "below",
    },
  ];
}

function repairBar(value: number): Bar {
  return { name: "a repair in 1,000 lines of TypeScript, ms", value, bar: 50, sense: "below" };
}
