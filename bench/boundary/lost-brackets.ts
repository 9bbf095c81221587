import { lineFinder } from "../../src/edit/line-range.ts";
import { locateFault } from "../../src/edit/repair/added-issues.ts";
import { fileLines } from "../../src/formats/index.ts";
import { languageById, type Syntax } from "../../src/syntax/index.ts";
import type { RealEdit } from "./real-edits.ts";

/** A way to lose or double a bracket at a line. */
interface Slip {
  readonly name: "lost closer" | "doubled closer" | "lost opener";
  /** Whether it can happen to the line. */
  readonly at: (line: string) => boolean;
  /** What becomes of the line. */
  readonly made: (line: string) => readonly string[];
}

const slips: readonly Slip[] = [
  { name: "lost closer", at: (line) => /^\s*[}\])]+[;,]?\s*$/.test(line), made: () => [] },
  { name: "doubled closer", at: (line) => /^\s*[}\])]+[;,]?\s*$/.test(line), made: (line) => [line, line] },
  { name: "lost opener", at: (line) => /\S\s*\{\s*$/.test(line), made: (line) => [line.replace(/\s*\{\s*$/, "")] },
];

/** How often a slip was found within two lines, knowing nothing of where the file was edited. */
export interface FaultRow {
  readonly name: Slip["name"];
  /** Slips that break the file. */
  readonly made: number;
  readonly byParser: number;
  readonly byFault: number;
}

/**
 * Three slips of each kind in each file, spread evenly; of the files of an edit, as they were
 * before it.
 */
export async function faultRows(edits: readonly RealEdit[], syntax: Syntax): Promise<FaultRow[]> {
  const files = [...new Map(edits.map((edit) => [edit.path, edit])).values()];
  const rows: FaultRow[] = [];
  for (const slip of slips) {
    let [made, byParser, byFault] = [0, 0, 0];
    for (const file of files) {
      for (const result of await tryFile(slip, file, syntax)) {
        made++;
        if (result.byParser) byParser++;
        if (result.byFault) byFault++;
      }
    }
    rows.push({ name: slip.name, made, byParser, byFault });
  }
  return rows;
}

async function tryFile(slip: Slip, { path, language, before }: RealEdit, syntax: Syntax) {
  const results: { byParser: boolean; byFault: boolean }[] = [];
  if (languageById(language)?.indentationSensitive === true) return results;
  const lines = fileLines(before);
  const places = lines.flatMap((line, at) => (slip.at(line) ? [at] : []));
  for (const share of [0.25, 0.5, 0.75]) {
    const at = places[Math.floor(places.length * share)];
    if (at === undefined) continue;
    const after = `${lines.toSpliced(at, 1, ...slip.made(lines[at]!)).join("\n")}\n`;
    const [issue] = await syntax.syntaxErrors({ uri: path, language, text: after });
    if (issue === undefined) continue;
    const fault = locateFault({ before, after, edited: [], issue, language });
    const reportedLine = lineFinder(after)(issue).start;
    results.push({ byParser: Math.abs(reportedLine - at) <= 2, byFault: Math.abs(fault.line - at) <= 2 });
  }
  return results;
}

/** The rows as a table; shares in percent. */
export function printFaultRows(rows: readonly FaultRow[]): string {
  const percent = (part: number, whole: number) => (whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`);
  const table = [["slip", "made", "parser", "here"]];
  for (const { name, made, byParser, byFault } of rows) {
    table.push([name, String(made), percent(byParser, made), percent(byFault, made)]);
  }
  return table
    .map((row) => row.map((cell, at) => (at === 0 ? cell.padEnd(16) : cell.padStart(8))).join("  "))
    .join("\n");
}
