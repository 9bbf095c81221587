/**
 * Spells recorded answers of models in other ways: `npm run bench:formats:fuzz -- FILE`.
 *
 * `bench/README.md` describes what is compared.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { FileTexts } from "../src/text/index.ts";
import { type RecordedAnswer, readAnswers } from "./answers/recorded-answer.ts";
import { applyRecorded, replay } from "./answers/replay.ts";
import { type Draw, drawing, type Variation, variations } from "./answers/variants.ts";
import { type Bar, passes, printBars } from "./bar.ts";

const usage = `npm run bench:formats:fuzz -- [FILE] [options]
  FILE          recorded answers, one JSON object a line; those of ../shared/data by default
  --seed N      another draw (1)
  --variants N  how many variants (20,000)
  --show        prints the variants that came out wrong
  --json FILE   writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    variants: { type: "string", default: "20000" },
    show: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [file = "../shared/data/answers/open.jsonl"] = positionals;
const [seed, count] = [Number(values.seed), Number(values.variants)];
if (positionals.length > 1 || !Number.isSafeInteger(seed) || !(count > 0)) {
  console.error(usage);
  process.exit(2);
}

/**
 * `right`: as without the variation. `reported`: another result, with a normalization or refusal.
 * `wrong`: anything else.
 */
type Verdict = "right" | "listed" | "reported" | "refused" | "wrong" | "other-file";

const answers = readAnswers(file).filter((recorded) => {
  const { verdict, refusals } = replay(recorded);
  return verdict === "matched" && !recorded.isRefused && refusals.length === 0;
});
/** Answers that name their files, so that others may stand beside these. */
const naming = new Set(
  answers.filter((recorded) => ["right", "listed"].includes(judge(recorded, recorded.answer, { isBeside: true }))),
);
const draw = drawing(seed);
const tallies = new Map<string, Record<Verdict, number>>();
for (let n = 0; n < count; ) {
  const recorded = answers[draw(answers.length)]!;
  const chosen = Array.from({ length: 1 + draw(3) }, () => variations[draw(variations.length)]!);
  const answer = varied(recorded, chosen, draw);
  if (answer === recorded.answer) continue;
  n++;
  const verdict = judge(recorded, answer, { isBeside: naming.has(recorded) });
  for (const { name } of new Set(chosen)) {
    const row = tallies.get(name) ?? { right: 0, listed: 0, reported: 0, refused: 0, wrong: 0, "other-file": 0 };
    row[verdict]++;
    tallies.set(name, row);
  }
  if (values.show && (verdict === "wrong" || verdict === "other-file")) {
    console.log(`${verdict} ${recorded.id}: ${chosen.map(({ name }) => name).join(", ")}\n\n${answer}\n`);
  }
}

const columns = ["right", "listed", "reported", "refused", "wrong", "other-file"] as const;
const width = Math.max(...variations.map(({ name }) => name.length));
console.log(`${"".padEnd(width)} ${columns.map((name) => name.padStart(10)).join(" ")}`);
for (const [name, row] of [...tallies].sort(([a], [b]) => a.localeCompare(b))) {
  console.log(`${name.padEnd(width)} ${columns.map((column) => `${row[column]}`.padStart(10)).join(" ")}`);
}
const total = (column: Verdict) => [...tallies.values()].reduce((sum, row) => sum + row[column], 0);
const bars: readonly Bar[] = [
  { name: "variants with another result, without a report", value: total("wrong"), bar: 0, sense: "at-most" },
  { name: "variants that change another file", value: total("other-file"), bar: 0, sense: "at-most" },
];
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = {
    bench: "formats-fuzz",
    node: process.version,
    seed,
    count,
    tallies: Object.fromEntries(tallies),
    bars,
  };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

function varied({ answer, ...rest }: RecordedAnswer, chosen: readonly Variation[], draw: Draw): string {
  let rows: readonly string[] = answer.split("\n");
  for (const { vary } of chosen) rows = vary(rows, { answer, ...rest }, draw);
  return rows.join("\n");
}

/**
 * Reads a variant; with `isBeside` copies of the files, which it does not name, are given as well.
 */
function judge(recorded: RecordedAnswer, answer: string, { isBeside }: { readonly isBeside: boolean }): Verdict {
  const copies = (isBeside ? [...recorded.files] : []).map(([path, text]): [string, string] => [
    `copies/of-${path.replaceAll("/", "-")}`,
    text,
  ]);
  const files: FileTexts = new Map([...recorded.files, ...copies]);
  const { files: after, readingNormalizations, normalizations, refusals } = applyRecorded(recorded, { answer, files });
  const isReported = readingNormalizations.length + normalizations.length > 0;
  if (copies.some(([path, text]) => after.get(path) !== text)) return "other-file";
  const compared = recorded.path === undefined ? [...(recorded.filesAfter?.keys() ?? [])] : [recorded.path];
  const isRight = compared.every((path) => after.get(path) === recorded.filesAfter?.get(path));
  if (refusals.length > 0) return "refused";
  if (isRight) return isReported ? "listed" : "right";
  return isReported ? "reported" : "wrong";
}
