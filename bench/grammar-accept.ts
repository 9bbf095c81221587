/**
 * Whether the grammars take every real file, whole and through holes:
 * `npm run bench:grammar:accept -- DIR...`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seededRandom } from "../scripts/train/seeded-random.ts";
import { loadGrammar } from "../src/grammar/node/index.ts";
import { Lines } from "../src/text/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { type AcceptFailure, acceptFile } from "./grammar/accept-file.ts";
import { type JudgedGrammar, judgedGrammars, ownGrammars, realFiles } from "./grammar/real-files.ts";
import { hasReference, judge, references, referenceVersions } from "./grammar/references.ts";
import { percentile } from "./percentile.ts";
import { openRepositories } from "./repositories.ts";

const usage = `npm run bench:grammar:accept -- DIR... [options]
  DIR                 folders, and git repositories, bare or not, whose last commit is read
  --repositories CLONES  where the clones lie that repositories.json lists for it; DIR is then the name of one
  --files N           so many files of each grammar; default: 100
  --cuts N            holes in each file, and half as many again with a second hole behind; default: 10
  --seed N            which of them; default: 1
  --grammar NAME      only this one (${judgedGrammars.join(", ")}); may be given several times
  --show N            failures to print of each grammar; default: 5
  --json FILE         writes all figures and failures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", default: "100" },
    cuts: { type: "string", default: "10" },
    seed: { type: "string", default: "1" },
    grammar: { type: "string", multiple: true },
    show: { type: "string", default: "5" },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const [files, cuts, seed, show] = [values.files, values.cuts, values.seed, values.show].map(Number) as [
  number,
  number,
  number,
  number,
];
const unknown = values.grammar?.filter((name) => !(judgedGrammars as readonly string[]).includes(name)) ?? [];
if (
  (positionals.length === 0 && values.repositories === undefined) ||
  !(files > 0) ||
  !(cuts >= 0) ||
  Number.isNaN(seed) ||
  unknown.length > 0
) {
  console.error(usage);
  process.exit(2);
}

using opened = openRepositories("grammar:accept", { chosen: positionals, clones: values.repositories });
const { folders } = opened;

interface Failure extends AcceptFailure {
  readonly path: string;
  /** `LINE:COLUMN` of the offset, from 1. */
  readonly place: string;
}

interface Row {
  readonly grammar: JudgedGrammar;
  readonly files: number;
  readonly refusedByReference: number;
  readonly rejected: number;
  /** Those of them that the second parser refuses too. */
  readonly refusedByOther: number;
  readonly cuts: number;
  readonly cutFailures: number;
  readonly microsecondsPerByte: number;
  readonly openMs: { readonly p50: number; readonly p99: number };
  readonly failures: readonly Failure[];
}

const all = realFiles(folders, { count: files, seed, grammars: values.grammar });
const rows: Row[] = [];
for (const grammar of judgedGrammars) {
  if (!all.some((file) => file.grammar === grammar)) continue;
  if (hasReference(grammar)) rows.push(await rowOf(grammar));
  else console.error(`${grammar} is left out: there is no ${references[grammar][0]} on this machine.`);
}
console.log(
  `${"grammar".padEnd(11)}${"files".padStart(7)}${"refused".padStart(9)}${"rejected".padStart(10)}${"both".padStart(9)}${"holes".padStart(8)}${"failed".padStart(8)}${"us/byte".padStart(9)}${"open ms p50".padStart(13)}${"p99".padStart(8)}`,
);
for (const row of rows) {
  const counts = [`${row.files}`.padStart(7), `${row.refusedByReference}`.padStart(9), `${row.rejected}`.padStart(10)];
  counts.push(`${row.refusedByOther}`.padStart(9));
  const holes = [`${row.cuts}`.padStart(8), `${row.cutFailures}`.padStart(8)];
  const times = [
    row.microsecondsPerByte.toFixed(2).padStart(9),
    row.openMs.p50.toFixed(1).padStart(13),
    row.openMs.p99.toFixed(1).padStart(8),
  ];
  console.log([row.grammar.padEnd(11), ...counts, ...holes, ...times].join(""));
}
console.log(`
refused: by the reference, and left out. both: rejected files that the second parser refuses too.
${rows.map(({ grammar }) => `${grammar}: ${references[grammar].join(", second ")}`).join("; ")}.
${referenceVersions()}.`);
for (const { failures } of rows)
  for (const failure of failures.slice(0, show)) console.log(`\n${printFailure(failure)}`);
const bars: readonly Bar[] = rows
  .filter(({ grammar }) => (ownGrammars as readonly string[]).includes(grammar))
  .map(({ grammar, rejected, cutFailures }) => ({
    name: `${grammar}, files rejected and holes failed`,
    value: rejected + cutFailures,
    bar: 0,
    sense: "at-most",
  }));
if (bars.length > 0) console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = { bench: "grammar-accept", references: referenceVersions(), folders, seed, rows, bars };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

async function rowOf(grammar: JudgedGrammar): Promise<Row> {
  const compiled = await loadGrammar(grammar);
  const some = all.filter((file) => file.grammar === grammar);
  const judgements = await judge(grammar, some);
  const whole = some.map((file, i) => ({ ...file, ...judgements[i]! })).filter(({ isWhole }) => isWhole);
  const random = seededRandom(seed);
  const failures: Failure[] = [];
  const openMs: number[] = [];
  let [bytes, readMs, rejected, refusedByOther, holes] = [0, 0, 0, 0, 0];
  for (const { path, text, isWholeToOther } of whole) {
    const file = acceptFile(compiled, text, { cuts, random });
    bytes += file.bytes;
    readMs += file.readMs;
    holes += file.cuts;
    openMs.push(...file.openMs);
    const lines = Lines.of(text);
    for (const failure of file.failures) {
      if (failure.kind === "rejected") rejected++;
      if (failure.kind === "rejected" && isWholeToOther === false) refusedByOther++;
      const { line, column } = lines.positionAt(failure.offset);
      failures.push({ ...failure, path, place: `${line + 1}:${column + 1}` });
    }
  }
  return {
    grammar,
    files: whole.length,
    refusedByReference: some.length - whole.length,
    rejected,
    refusedByOther,
    cuts: holes,
    cutFailures: failures.length - rejected,
    microsecondsPerByte: (readMs * 1000) / Math.max(1, bytes),
    openMs: { p50: percentile(openMs, 0.5), p99: percentile(openMs, 0.99) },
    failures,
  };
}

function printFailure({ path, place, kind, note, cut, behind = [] }: Failure): string {
  const head = `${path}:${place} ${kind}${note === "" ? "" : ` (${note})`}`;
  if (cut === undefined) return head;
  const texts = [cut.before.slice(-60), cut.middle.slice(0, 120), ...behind.map((text) => text.slice(0, 60))];
  const around = texts.map((text) => JSON.stringify(text)).join(" | ");
  return `${head}\n  ${around}`;
}
