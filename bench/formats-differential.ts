/**
 * Applies generated edits with other tools and with Emend: `npm run bench:formats:differential`.
 *
 * `bench/README.md` describes what is compared.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Bar, passes, printBars } from "./bar.ts";
import { type OwnResult, ownResult, type Verdict, verdictOf } from "./formats-differential/comparison.ts";
import {
  aiderTool,
  codexTool,
  type ExternalTool,
  gitApplyTool,
  patchTool,
} from "./formats-differential/external-tool.ts";
import { type EditLimits, generatedEdits } from "./formats-differential/generated-edits.ts";
import { type WrittenEdit, writeSearchReplace, writeUdiff, writeV4a } from "./formats-differential/written-edits.ts";

const usage = `npm run bench:formats:differential -- [options]
  --seed N     the seed of the edits; default 1
  --edits N    how many edits for each tool and format; default 5000
  --tools LIST only these of codex, git, patch, aider; default all
  --show N     prints the first N edits of each comparison that come out as VERDICT; default 0
  --verdict VERDICT  different (the default), refused, ambiguous, only-ours, neither or both-wrong
  --json FILE  writes all figures`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    edits: { type: "string", default: "5000" },
    tools: { type: "string", default: "codex,git,patch,aider" },
    show: { type: "string", default: "0" },
    verdict: { type: "string", default: "different" },
    json: { type: "string" },
  },
});
const [seed, count, shown] = [values.seed, values.edits, values.show].map(Number);
const makers: Readonly<Record<string, () => ExternalTool>> = {
  codex: codexTool,
  git: gitApplyTool,
  patch: patchTool,
  aider: aiderTool,
};
const wanted = values.tools.split(",");
if (
  ![seed, count, shown].every((one) => Number.isSafeInteger(one) && one! >= 0) ||
  wanted.some((one) => !makers[one])
) {
  console.error(usage);
  process.exit(2);
}

/** Edits in one format, made once for all tools that read it. */
interface Comparison {
  readonly title: string;
  readonly tools: readonly string[];
  readonly limits: EditLimits;
  readonly write: (edit: WrittenEdit["edit"]) => WrittenEdit;
}

const comparisons: readonly Comparison[] = [
  { title: "v4a", tools: ["codex"], limits: { canDelete: true, finalNewline: "always" }, write: writeV4a },
  {
    title: "udiff",
    tools: ["git", "patch"],
    limits: { canDelete: true, finalNewline: "where-last-lines-go" },
    write: (edit) => writeUdiff(edit, "counted"),
  },
  {
    title: "udiff without numbers",
    tools: ["aider"],
    limits: { canDelete: false, finalNewline: "where-last-lines-go" },
    write: (edit) => writeUdiff(edit, "free"),
  },
  {
    title: "search-replace",
    tools: ["aider"],
    limits: { canDelete: false, finalNewline: "kept" },
    write: writeSearchReplace,
  },
];

/** All edits of one comparison with one tool. */
interface Row {
  readonly tool: string;
  readonly version: string;
  readonly format: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  /**
   * How often Emend refused where the tool was right, by the kind of the refusal, or wrote
   * something else.
   */
  readonly refusals: Readonly<Record<string, number>>;
  /** The same by the variant of the edit. */
  readonly variants: Readonly<Record<string, number>>;
}

const rows: Row[] = [];
const tools = new Map(wanted.map((name) => [name, makers[name]!()]));
for (const { title, tools: readers, limits, write } of comparisons) {
  const used = readers.flatMap((name) => tools.get(name) ?? []);
  for (const { name, missing } of used) {
    if (missing !== undefined) console.log(`${title}: ${name} is not installed; \`${missing}\` installs it.`);
  }
  const present = used.filter(({ missing }) => missing === undefined);
  if (present.length === 0) continue;
  const edits = generatedEdits(seed!, count!, limits).map(write);
  const own = edits.map(ownResult);
  for (const tool of present) rows.push(compare(title, tool, edits, own));
}

printRows();
const bars: Bar[] = rows.flatMap(({ tool, format, counts }) => [
  {
    name: `${tool}, ${format}: other results where the tool is right`,
    value: counts.different,
    bar: 0,
    sense: "at-most",
  },
  { name: `${tool}, ${format}: refusals other than as ambiguous`, value: counts.refused, bar: 0, sense: "at-most" },
]);
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = { bench: "formats-differential", node: process.version, seed, edits: count, rows, bars };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

function compare(format: string, tool: ExternalTool, edits: readonly WrittenEdit[], own: readonly OwnResult[]): Row {
  const counts = { same: 0, ambiguous: 0, refused: 0, different: 0, "only-ours": 0, neither: 0, "both-wrong": 0 };
  const refusals: Record<string, number> = {};
  const variants: Record<string, number> = {};
  let left = shown!;
  for (const [index, result] of tool.apply(edits).entries()) {
    const edit = edits[index]!;
    const ours = own[index]!;
    const verdict = verdictOf(edit.edit.after, result, ours);
    counts[verdict]++;
    if (verdict === values.verdict && left-- > 0) show(tool.name, edit, ours);
    if (!["ambiguous", "refused", "different", "both-wrong"].includes(verdict)) continue;
    const kind = ours.kind === "refused" ? ours.refusal : verdict;
    refusals[kind] = (refusals[kind] ?? 0) + 1;
    const name = `${kind}: ${edit.variant}`;
    variants[name] = (variants[name] ?? 0) + 1;
  }
  return { tool: tool.name, version: tool.version, format, counts, refusals, variants };
}

function show(tool: string, { edit, answer, variant }: WrittenEdit, ours: OwnResult): void {
  const result = ours.kind === "refused" ? `${ours.refusal}: ${ours.message}` : "another result";
  console.log(`\n=== ${tool}, edit ${edit.id} (${variant}): ${result}`);
  for (const [path, text] of edit.before) console.log(`--- before: ${path}\n${visible(text)}`);
  console.log(`--- answer\n${answer}`);
  if (ours.kind === "refused") return;
  for (const [path, text] of edit.after) {
    const written = ours.files.get(path);
    if (written !== text)
      console.log(`--- intended: ${path}\n${visible(text)}\n--- written\n${visible(written ?? "")}`);
  }
}

function visible(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\u00a0", "⍽");
}

function printRows(): void {
  const columns = ["same", "ambiguous", "refused", "different", "only-ours", "neither", "both-wrong"] as const;
  const table = rows.map(({ tool, format, counts }) => [tool, format, ...columns.map((column) => `${counts[column]}`)]);
  console.log(`\n| ${["tool", "format", ...columns].join(" | ")} |\n|${" --- |".repeat(columns.length + 2)}`);
  for (const cells of table) console.log(`| ${cells.join(" | ")} |`);
  for (const { tool, version, format, refusals, variants } of rows) {
    console.log(`\n${tool} (${version}), ${format}: what Emend does not get right: ${listed(refusals)}`);
    for (const [name, n] of Object.entries(variants).toSorted(([, a], [, b]) => b - a)) console.log(`  ${n} ${name}`);
  }
}

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ");
}
