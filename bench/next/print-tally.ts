import { type Bar, printBars } from "../bar.ts";
import { hunkKinds } from "./classify-hunks.ts";
import type { calibrationOf, NextTally, ShownTally } from "./tally.ts";

/** The bars: of what follows from earlier hunks, and of what is shown. */
export function barsOf({ classified, edits }: NextTally): Bar[] {
  return [
    {
      name: "exact, % of classified hunks",
      value: percent(classified.predicted, classified.hunks),
      bar: 60,
      sense: "at-least",
    },
    { name: "exact, % of shown edits", value: percent(edits.exact, edits.shown), bar: 80, sense: "at-least" },
  ];
}

/** All figures as a table for people. */
export function printTally(tally: NextTally): string {
  const { commits, hunks, steps, edits, places, byOrigin, byKind, classified, unclassified, latencyMs } = tally;
  const shown = (name: string, counts: ShownTally) => [
    name,
    counts.shown,
    counts.exact,
    counts.part,
    counts.place,
    counts.wrong,
  ];
  const made = (name: string, counts: { hunks: number; predicted: number }) => {
    return [name, counts.hunks, counts.predicted, `${percent(counts.predicted, counts.hunks).toFixed(1)} %`];
  };
  const rows = [
    ["", "shown", "exact", "in part", "right place", "wrong"],
    shown("edits", edits),
    ...Object.entries(byOrigin).map(([origin, own]) => shown(`  ${origin}`, own.edits)),
    shown("places without an edit", places),
    ...Object.entries(byOrigin).map(([origin, own]) => shown(`  ${origin}`, own.places)),
  ];
  const kinds = [
    ["hunks that follow", "hunks", "exact", ""],
    ...hunkKinds.map((kind) => made(`  ${kind}`, byKind[kind])),
    made("  together", classified),
    made("all others", unclassified),
  ];
  const totals = `${commits} commits, ${hunks} hunks, ${steps} steps, ${percent(edits.shown, steps).toFixed(1)} % with an edit`;
  const latency = `CPU of an answer: p50 ${latencyMs.p50.toFixed(1)} ms, p95 ${latencyMs.p95.toFixed(1)} ms`;
  return [totals, latency, "", printTable(rows), "", printTable(kinds), "", printBars(barsOf(tally))].join("\n");
}

export function printCalibration(buckets: ReturnType<typeof calibrationOf>): string {
  return printTable([
    ["origin, likelihood", "shown", "exact", ""],
    ...buckets.map(({ origin, from, shown, exact }) => [
      `${origin} ${from.toFixed(2)} to ${(from + 0.05).toFixed(2)}`,
      ...[shown, exact, `${percent(exact, shown).toFixed(0)} %`],
    ]),
  ]);
}

/** The first column flush left, the others flush right. */
function printTable(rows: readonly (readonly (string | number)[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? String(cell).padEnd(widths[i]!) : String(cell).padStart(widths[i]! + 2))),
    )
    .map((cells) => cells.join("").trimEnd())
    .join("\n");
}

/** 0 of nothing. */
function percent(part: number, all: number): number {
  return all === 0 ? 0 : (100 * part) / all;
}
