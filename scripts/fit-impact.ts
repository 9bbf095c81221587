/**
 * Fits corrections of the likelihoods' weights to cases of real changes:
 * `npx tsx scripts/fit-impact.ts CASES.jsonl... --repositories CLONES`.
 *
 * Prints corrections for each kind of evidence, and how well they predict repositories that they
 * were not fitted to.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readCases, readScopes } from "../bench/impact/impact-case.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { collectRows } from "./fit-impact/collect-rows.ts";
import { crossValidated, fitModels, printModels } from "./fit-impact/fit-models.ts";
import { type ImpactRow, likelihoodNow } from "./fit-impact/impact-row.ts";
import { printCalibration, printRepositories, printThresholds } from "./fit-impact/print-figures.ts";

const usage = `npx tsx scripts/fit-impact.ts CASES.jsonl... --repositories CLONES [options]
  CASES.jsonl         cases as \`npm run bench:impact\` takes them
  --repositories CLONES  the folder with the clones of their repositories
  --rows FILE         keeps what was found out of each case there, and does not analyse again the cases that it holds
  --ridge N           how much corrections cost; default: 3
  --judge WORD        judges only the repositories whose name holds this; all are learnt from`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string" },
    rows: { type: "string" },
    ridge: { type: "string", default: "3" },
    judge: { type: "string", default: "" },
  },
});
const ridge = Number(values.ridge);
if (values.repositories === undefined || positionals.length === 0 || !(ridge > 0)) {
  console.error(usage);
  process.exit(2);
}

const rows = await collect(positionals, values.repositories, values.rows);
console.log(printModels(fitModels(rows, { ridge }), rows));
const predicted = crossValidated(rows, { ridge });
const predictions = rows.map((row, index) => ({ row, now: likelihoodNow(row), fitted: predicted[index]! }));
const judged = predictions.filter(({ row }) => row.repo.includes(values.judge));
for (const pick of ["now", "fitted"] as const) {
  const of = judged.map((one) => ({ row: one.row, likelihood: one[pick] }));
  console.log(
    `\n${pick === "now" ? "As the likelihoods are" : "As they would be, each repository predicted from the others"}\n`,
  );
  console.log(printThresholds(of));
  console.log(`\n${printCalibration(of)}`);
  console.log(`\n${printRepositories(of)}`);
}

/**
 * The rows of all cases; those that `file` holds are read, the others are found out and written
 * there.
 */
async function collect(paths: readonly string[], clones: string, file: string | undefined): Promise<ImpactRow[]> {
  const known = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : "";
  const rows = known.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as ImpactRow]));
  const done = new Set(rows.map((row) => row.case));
  using syntax = openSyntax();
  for (const path of paths) {
    const scopes = await readScopes(path, clones);
    for (const one of readCases(path)) {
      if (done.has(one.id)) continue;
      const fresh = await collectRows(one, clones, scopes(one.repo), syntax);
      if (file !== undefined) appendFileSync(file, fresh.map((row) => `${JSON.stringify(row)}\n`).join(""));
      rows.push(...fresh);
      console.error(`${one.id}: ${fresh.length} blocks`);
    }
  }
  return rows;
}
