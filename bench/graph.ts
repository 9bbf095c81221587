/**
 * What the dependency graph of a whole repository costs, and what keeping it up to date does:
 * `npm run bench:graph -- DIR...`.
 *
 * `bench/README.md` explains the figures.
 */
import { execFileSync } from "node:child_process";
import { realpathSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ts } from "@ts-morph/common";
import { type Bar, printBars } from "./bar.ts";
import type { EditReport, OwnReport, PassReport } from "./graph/pass-report.ts";
import { percentile } from "./percentile.ts";
import { openRepositories } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "3" },
    edits: { type: "string", default: "24" },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
if ((positionals.length === 0 && values.repositories === undefined) || !(runs >= 1) || !(Number(values.edits) >= 1)) {
  console.error(`npm run bench:graph -- DIR... [options]
  DIR                 a repository with scripts
  --repositories CLONES  where the clones lie that repositories.json lists for it; DIR is then the name of one
  --runs N            how often each pass is made; default: 3
  --edits N           how many files are edited; default: 24
  --json FILE         writes all figures`);
  process.exit(2);
}

using opened = openRepositories("graph", { chosen: positionals, clones: values.repositories });
const { folders } = opened;

const results = folders.map((folder) => measure(realpathSync(folder)));
if (values.json !== undefined) {
  writeFileSync(
    values.json,
    `${JSON.stringify({ bench: "graph", node: process.version, runs, results }, undefined, 2)}\n`,
  );
}

function measure(root: string) {
  // In turn, so that both have the same share of what else the machine does.
  const own: OwnReport[] = [];
  const other: PassReport[] = [];
  for (let run = 0; run < runs; run++) {
    own.push(pass<OwnReport>("own-pass.ts", root, run === 0 ? ["--pairs", "--edits", values.edits] : []));
    other.push(pass<PassReport>("typescript6-pass.ts", root, run === 0 ? ["--pairs"] : []));
  }
  const [first, reference] = [own[0]!, other[0]!];
  const median = (reports: readonly PassReport[], figure: "cpuMs" | "wallMs" | "peakMb") =>
    percentile(
      reports.map((report) => report[figure]),
      0.5,
    );
  const { bodyEdits = [], signatureEdits = [] } = first;
  const pairs = { own: new Set(first.pairs), other: new Set(reference.pairs) };
  const shared = [...pairs.own].filter((pair) => pairs.other.has(pair)).length;
  const bars: Bar[] = [
    {
      name: "CPU, of TypeScript 6's",
      value: median(own, "cpuMs") / median(other, "cpuMs"),
      bar: 0.5,
      sense: "at-most",
    },
    {
      name: "memory, of TypeScript 6's",
      value: median(own, "peakMb") / median(other, "peakMb"),
      bar: 0.5,
      sense: "at-most",
    },
    { name: "body edit, median CPU ms", value: middle(bodyEdits, "cpuMs", 0.5), bar: 50, sense: "below" },
    { name: "body edit, p95 CPU ms", value: middle(bodyEdits, "cpuMs", 0.95), bar: 50, sense: "below" },
  ];
  console.log(`
${root.split("/").at(-1)}: ${first.files} files, ${first.lines} lines, ${first.blocks} blocks
edges: ${Object.entries(first.edges)
    .map(([relation, count]) => `${relation} ${count}`)
    .join(", ")}
pairs of blocks: ${pairs.own.size}, TypeScript ${ts.version}: ${pairs.other.size}, both: ${shared}
pass                 CPU s  wall s  peak MB
Emend             ${row(own)}
TypeScript ${ts.version}  ${row(other)}
edit                 files asked  CPU ms p50, p95  wall ms p50, p95
body              ${editRow(bodyEdits)}
signature of hub  ${editRow(signatureEdits)}
${printBars(bars)}`);
  const { pairs: _own, ...figures } = first;
  return {
    root: root.split("/").at(-1),
    ...figures,
    sharedPairs: shared,
    own: own.map(costs),
    typescript6: other.map(costs),
    bars,
  };

  function row(reports: readonly PassReport[]): string {
    const seconds = (figure: "cpuMs" | "wallMs") => (median(reports, figure) / 1000).toFixed(2).padStart(8);
    return `${seconds("cpuMs")}${seconds("wallMs")}${median(reports, "peakMb").toFixed(0).padStart(9)}`;
  }
}

function costs({ cpuMs, wallMs, peakMb }: PassReport) {
  return { cpuMs, wallMs, peakMb };
}

function middle(edits: readonly EditReport[], figure: "cpuMs" | "wallMs" | "resolvedFiles", share: number): number {
  return percentile(
    edits.map((edit) => edit[figure]),
    share,
  );
}

function editRow(edits: readonly EditReport[]): string {
  const both = (figure: "cpuMs" | "wallMs") =>
    [0.5, 0.95].map((share) => middle(edits, figure, share).toFixed(0)).join(", ");
  return `${String(middle(edits, "resolvedFiles", 0.5)).padStart(14)}${both("cpuMs").padStart(17)}${both("wallMs").padStart(18)}`;
}

/** A process of its own, so that neither has the other's memory. */
function pass<T>(script: string, root: string, flags: readonly string[]): T {
  const file = fileURLToPath(new URL(`graph/${script}`, import.meta.url));
  const args = ["--import", "tsx", file, root, ...flags];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", maxBuffer: 2 ** 30 })) as T;
}
