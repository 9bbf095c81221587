/**
 * Whether mistaken boundaries of edits are noticed and repaired: `npm run bench:boundary -- REPO`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type CountNewErrors, newErrorCounter, spliceLines } from "../src/edit/boundaries/splice-checker.ts";
import { EditEngine } from "../src/edit/edit-engine.ts";
import type { EditOutcome } from "../src/edit/edit-outcome.ts";
import { explainEdit, proposalOf } from "../src/edit/explain-edit.ts";
import { fileLines, type LineSplice } from "../src/formats/index.ts";
import { EditedSyntaxErrors } from "../src/syntax/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { applyWorkspaceEdit } from "../src/text/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { type AnswerFormat, writeAnswer } from "./boundary/answers.ts";
import { longFileMs } from "./boundary/long-file.ts";
import { faultRows, printFaultRows } from "./boundary/lost-brackets.ts";
import { type MistakeName, mistakeNames, mistaken } from "./boundary/mistakes.ts";
import { type RealEdit, realEdits } from "./boundary/real-edits.ts";
import { type MistakeResult, type MistakeRow, mistakeRows, printMistakeRows, verdictOf } from "./boundary/tally.ts";
import { openRepositories } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    repositories: { type: "string" },
    json: { type: "string" },
    /** Prints the mistakes that came to this verdict, and all correct edits that were changed. */
    show: { type: "string" },
  },
});
if (positionals.length !== 1)
  throw new Error("Say which repository: npm run bench:boundary -- REPO [--repositories CLONES]");
using opened = openRepositories("boundary", { chosen: positionals, clones: values.repositories });
const repo = opened.folders[0]!;

/** What the answers in one format came to. */
interface Section {
  readonly format: AnswerFormat;
  readonly title: string;
  readonly results: MistakeResult[];
  /** How many correct edits were looked at, how many were doubted, and how many were changed. */
  correct: number;
  doubted: number;
  touched: number;
}

using syntax = openSyntax();
const engine = new EditEngine({ syntax });
const edits = await realEdits(repo, { count: Number(values.cases), seed: Number(values.seed), syntax });
const counts = { correct: 0, doubted: 0, touched: 0 };
const sections: readonly Section[] = [
  { format: "range", title: "Line numbers and the words their lines begin with (range)", results: [], ...counts },
  { format: "line-commands", title: "Line numbers alone (line-commands)", results: [], ...counts },
];
for (const edit of edits) {
  using errors = await EditedSyntaxErrors.open(syntax, { ...edit, uri: edit.path, text: edit.before });
  const countNewErrors = newErrorCounter(edit.before, errors);
  for (const section of sections) await tryEdit(edit, section, countNewErrors);
}
const rows = sections.map(({ results }) => mistakeRows(results));
const faults = await faultRows(edits, syntax);
const repairMs = await longFileMs(syntax);

console.log(
  `${positionals[0]}: ${edits.length} edits of one place, ${edits.filter(({ splice }) => splice.start === splice.end).length} of them insertions`,
);
for (const [at, { title, correct, doubted, touched }] of sections.entries()) {
  console.log(`\n${title}\n${printMistakeRows(rows[at]!)}`);
  console.log(`of ${correct} correct edits ${doubted} doubted, ${touched} changed`);
}
console.log(`\nWhere a bracket is lost or doubled, found within two lines\n${printFaultRows(faults)}\n`);
const bars = [...sections.flatMap((section, at) => barsOf(section, rows[at]!.at(-1)!)), repairBar(repairMs)];
console.log(printBars(bars));
if (values.json !== undefined) {
  const reports = sections.map(({ format, correct, doubted, touched }, at) => ({
    format,
    correct,
    doubted,
    touched,
    rows: rows[at]!,
  }));
  const content = {
    bench: "boundary",
    node: process.version,
    repo,
    edits: edits.length,
    sections: reports,
    faults,
    bars,
  };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

async function tryEdit(edit: RealEdit, section: Section, countNewErrors: CountNewErrors): Promise<void> {
  const lines = fileLines(edit.before);
  const intended = textOf(lines, edit.splice);
  const correct = writeAnswer(section.format, lines, { intended: edit.splice, written: edit.splice });
  if (correct !== undefined) {
    const outcome = await judge(edit, section, correct);
    const verdict = verdictOf(outcome, textAfter(edit, outcome) === intended);
    const isMoved = verdict === "exact" && proposalOf(outcome)!.repairs.length > 0;
    section.correct++;
    if (isMoved || verdict === "wrong" || verdict === "unnoticed") {
      section.touched++;
      show("correct", edit, edit.splice, outcome);
    } else if (verdict !== "exact" || proposalOf(outcome)!.warnings.length > 0) {
      section.doubted++;
    }
  }
  for (const name of mistakeNames) {
    const written = mistaken(name, lines, edit.splice);
    const answer = written && writeAnswer(section.format, lines, { intended: edit.splice, written });
    // A line beside its like may be missed without any harm.
    if (written === undefined || answer === undefined || textOf(lines, written) === intended) continue;
    const outcome = await judge(edit, section, answer);
    const verdict = verdictOf(outcome, textAfter(edit, outcome) === intended);
    const parses = (await countNewErrors(textOf(lines, written))) === 0;
    section.results.push({ name, parses, verdict });
    if (verdict === values.show) show(name, edit, written, outcome);
  }
}

/** The whole walk of the engine: the answer is read, placed, repaired and checked. */
function judge({ path, language, before }: RealEdit, { format }: Section, text: string): Promise<EditOutcome> {
  return engine.judgeAnswer({ files: [{ path, language, text: before }] }, { format, text });
}

/** What is offered, with all lines ending alike; `undefined` where nothing is. */
function textAfter({ path }: RealEdit, outcome: EditOutcome): string | undefined {
  if (outcome.kind !== "offered") return undefined;
  const applied = applyWorkspaceEdit(outcome.proposal.files, outcome.proposal.edit);
  return applied.kind === "applied" ? toText(fileLines(applied.files.get(path)!)) : undefined;
}

function textOf(lines: readonly string[], splice: LineSplice): string {
  return toText(spliceLines(lines, [splice]));
}

function toText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Prints what became of a change. */
function show(
  name: MistakeName | "correct",
  { path, commit, splice }: RealEdit,
  written: LineSplice,
  outcome: EditOutcome,
): void {
  if (values.show === undefined) return;
  const range = ({ start, end }: LineSplice) => `[${start}, ${end})`;
  console.log(`${name}: ${path} of ${commit}, meant ${range(splice)}, written ${range(written)}: ${outcome.kind}`);
  console.log(explainEdit(outcome).replace(/^(?=.)/gm, "  "));
}

function barsOf({ format, correct, touched }: Section, { triggered, exact, wrong }: MistakeRow): Bar[] {
  const share = (part: number, whole: number) => (100 * part) / Math.max(1, whole);
  const exactBar: Bar = {
    name: `${format}: exact where triggered, %`,
    value: share(exact, triggered),
    bar: 90,
    sense: "at-least",
  };
  return [
    // Where numbers are all there is, they are often not to be repaired, and the model is
    // requested.
    ...(format === "range" ? [exactBar] : []),
    { name: `${format}: repaired wrongly`, value: wrong, bar: 0, sense: "at-most" },
    { name: `${format}: correct edits changed, %`, value: share(touched, correct), bar: 1, sense: "below" },
  ];
}

function repairBar(value: number): Bar {
  return { name: "a repair in 1,000 lines of TypeScript, ms", value, bar: 50, sense: "below" };
}
