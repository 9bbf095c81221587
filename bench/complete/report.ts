import { type Bar, printBars } from "../bar.ts";
import { mean, percentiles } from "../percentile.ts";
import { type CaseSet, type CompletionCase, caseSets } from "./load-cases.ts";
import { calibrationError, type LineScore, precisionAt, type ReliabilityBin, reliability } from "./scores.ts";
import type { TypedLine } from "./type-line.ts";

/** What one case came to. */
export interface CaseResult
  extends LineScore,
    Pick<CompletionCase, "id" | "set" | "kind" | "seenLine" | "isTest" | "isImport" | "middle"> {
  readonly repository: string;
  readonly predicted: string;
  readonly probability: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  /** What a person would be shown at the place; nothing when the model keeps silent. */
  readonly offered: string | undefined;
  readonly typed: TypedLine | undefined;
  /**
   * What a person would be shown with the rest of the line behind the cursor, where that lies
   * inside a name.
   */
  readonly inside?: InsideWord;
}

/** What is shown inside a name whose rest is behind the cursor. */
export interface InsideWord {
  readonly offered: string | undefined;
  /**
   * Whether what is shown, or would be shown were the model surer, writes the rest of the name
   * again.
   */
  readonly repeats: boolean;
}

/**
 * Whether `text`, shown at a cursor inside a name, writes again the text behind the cursor,
 * `rest`.
 */
export function repeatsRest(text: string | undefined, rest: string): boolean {
  const name = /^[\p{L}\p{N}_$]+/u.exec(rest)?.[0] ?? rest;
  return text !== undefined && text !== "" && (text.startsWith(name) || name.startsWith(text));
}

/** The means of a group of cases, in percent. */
interface GroupRow {
  readonly group: string;
  readonly count: number;
  readonly exact: number;
  readonly similarity: number;
  readonly namesExact: number;
  readonly namesF1: number;
  readonly p20: number;
  readonly p40: number;
}

/** What a person sees of a group of cases, in percent. */
interface PersonRow {
  readonly group: string;
  /** Places at which something is shown. */
  readonly offered: number;
  /** Of what is shown, the share that is the whole rest of the line. */
  readonly whole: number;
  /** Of what is shown, the share that is right as far as it goes. */
  readonly right: number;
  /** Keys that need not be pressed when the line is typed with the tool. */
  readonly keysSaved: number | undefined;
  /** Of the completions shown while the line is typed, the share that is taken. */
  readonly taken: number | undefined;
}

/** All figures of a run. */
export interface Summary {
  readonly count: number;
  readonly sets: readonly GroupRow[];
  readonly tables: readonly { readonly name: string; readonly set: CaseSet; readonly rows: readonly GroupRow[] }[];
  readonly person: readonly PersonRow[];
  readonly reliability: readonly ReliabilityBin[];
  /** The calibration error of all cases and of each set, from 0 to 1. */
  readonly calibration: Readonly<Record<string, number>>;
  readonly wallMs: ReturnType<typeof percentiles>;
  readonly cpuMs: ReturnType<typeof percentiles>;
  /**
   * The places inside names, at how many of them something is shown, and at how many it repeats the
   * rest.
   */
  readonly inside: { readonly count: number; readonly offered: number; readonly repeats: number };
  readonly bars: readonly Bar[];
}

const groupings: readonly (readonly [name: string, groupOf: (result: CaseResult) => string])[] = [
  ["kind", ({ kind }) => kind],
  ["the same line elsewhere", ({ seenLine }) => seenLine],
  ["repository", ({ repository }) => repository],
  ["import", ({ isImport }) => (isImport ? "import" : "other")],
  ["test", ({ isTest }) => (isTest ? "test" : "other")],
];

/** Reckons all figures. */
export function summarize(results: readonly CaseResult[]): Summary {
  const present = caseSets.filter((set) => results.some((result) => result.set === set));
  const ofSet = (set: CaseSet) => results.filter((result) => result.set === set);
  const sets = present.map((set) => groupRow(set, ofSet(set)));
  const wallMs = percentiles(results.map((result) => result.wallMs));
  const cpuMs = percentiles(results.map((result) => result.cpuMs));
  const bins = reliability(results);
  const places = results.flatMap((result) => result.inside ?? []);
  const inside = {
    count: places.length,
    offered: places.filter(({ offered }) => offered !== undefined).length,
    repeats: places.filter(({ repeats }) => repeats).length,
  };
  return {
    count: results.length,
    sets,
    tables: groupings.flatMap(([name, groupOf]) =>
      present.map((set) => {
        const here = ofSet(set);
        const groups = [...new Set(here.map(groupOf))].sort();
        const rows = groups.map((group) =>
          groupRow(
            group,
            here.filter((result) => groupOf(result) === group),
          ),
        );
        return { name, set, rows };
      }),
    ),
    person: [...present.map((set) => personRow(set, ofSet(set))), personRow("all", results)],
    reliability: bins,
    calibration: {
      all: calibrationError(bins),
      ...Object.fromEntries(present.map((set) => [set, calibrationError(reliability(ofSet(set)))])),
    },
    wallMs,
    cpuMs,
    inside,
    bars: barsOf(sets, wallMs, inside),
  };
}

function groupRow(group: string, results: readonly CaseResult[]): GroupRow {
  const percent = (figure: (result: CaseResult) => number) => 100 * mean(results.map(figure));
  return {
    group,
    count: results.length,
    exact: percent((result) => result.exact),
    similarity: percent((result) => result.similarity),
    namesExact: percent((result) => result.namesExact),
    namesF1: percent((result) => result.namesF1),
    p20: 100 * precisionAt(0.2, results),
    p40: 100 * precisionAt(0.4, results),
  };
}

function personRow(group: string, results: readonly CaseResult[]): PersonRow {
  const offered = results.filter((result) => result.offered !== undefined);
  const share = (some: readonly CaseResult[], test: (text: string, line: string) => boolean) =>
    100 * mean(some.map(({ offered: text, middle }) => (test(text!.trimEnd(), middle.trimEnd()) ? 1 : 0)));
  const typed = results.flatMap((result) => result.typed ?? []);
  const sum = (figure: (line: TypedLine) => number) => typed.reduce((total, line) => total + figure(line), 0);
  const characters = sum((line) => line.characters);
  const shown = sum((line) => line.shown);
  return {
    group,
    offered: (100 * offered.length) / Math.max(1, results.length),
    whole: share(offered, (text, line) => text === line),
    right: share(offered, (text, line) => line.startsWith(text)),
    keysSaved: characters === 0 ? undefined : 100 * (1 - sum((line) => line.keys) / characters),
    taken: shown === 0 ? undefined : (100 * sum((line) => line.taken)) / shown,
  };
}

const requirements = { static: { exact: 37, similarity: 58, p20: 88 }, commit: { exact: 18, similarity: 45, p20: 55 } };

function barsOf(sets: readonly GroupRow[], { p50, p95 }: Summary["wallMs"], inside: Summary["inside"]): Bar[] {
  const bars = sets.flatMap((row): Bar[] => {
    const { exact, similarity, p20 } = requirements[row.group as CaseSet];
    return [
      { name: `${row.group} EM`, value: row.exact, bar: exact, sense: "at-least" },
      { name: `${row.group} ES`, value: row.similarity, bar: similarity, sense: "at-least" },
      { name: `${row.group} P@20`, value: row.p20, bar: p20, sense: "at-least" },
    ];
  });
  return [
    ...bars,
    { name: "repeats inside names", value: inside.repeats, bar: 0, sense: "at-most" },
    { name: "p50 ms", value: p50, bar: 3, sense: "below" },
    { name: "p95 ms", value: p95, bar: 15, sense: "below" },
  ];
}

/** The report as text: the tables, and the bars last. */
export function printReport(summary: Summary): string {
  const { sets, tables, person, calibration, wallMs, cpuMs, bars } = summary;
  const parts = [
    `${summary.count} cases\n`,
    printGroups("set", sets),
    ...groupings.map(([name]) =>
      tables
        .filter((table) => table.name === name)
        .map(({ set, rows }) => printGroups(`${set}, by ${name}`, rows))
        .join("\n"),
    ),
    printPerson(person),
    `inside names, with the rest behind the cursor: ${summary.inside.count} places, ${summary.inside.offered} offered, ${summary.inside.repeats} repeats\n`,
    printReliability(summary.reliability),
    `calibration error  ${Object.entries(calibration)
      .map(([name, value]) => `${name} ${value.toFixed(3)}`)
      .join("   ")}\n`,
    `ms of a completion  p50     p95     p99\n${printTimes("wall", wallMs)}\n${printTimes("CPU", cpuMs)}\n`,
    printBars(bars),
  ];
  return parts.join("\n");
}

const nameWidth = 36;

function printGroups(title: string, rows: readonly GroupRow[]): string {
  const line = ({ group, count, ...figures }: GroupRow) =>
    `${group.padEnd(nameWidth)} ${String(count).padStart(5)} ${Object.values(figures).map(tenths).join("")}\n`;
  const heads = ["EM", "ES", "id EM", "id F1", "P@20", "P@40"].map((head) => head.padStart(8)).join("");
  return `${title.padEnd(nameWidth)} ${"cases".padStart(5)} ${heads}\n${rows.map(line).join("")}`;
}

function printPerson(rows: readonly PersonRow[]): string {
  const heads = ["offered", "whole", "right", "keys saved", "taken"].map((head) => head.padStart(12)).join("");
  const line = ({ group, ...figures }: PersonRow) =>
    `${group.padEnd(nameWidth - 24)}${Object.values(figures)
      .map((value) => tenths(value).padStart(12))
      .join("")}\n`;
  return `${"shown".padEnd(nameWidth - 24)}${heads}\n${rows.map(line).join("")}`;
}

function printReliability(bins: readonly ReliabilityBin[]): string {
  const line = ({ from, to, count, meanProbability, rightShare }: ReliabilityBin) =>
    `${from.toFixed(1)} to ${to.toFixed(1)} ${String(count).padStart(8)}${tenths(100 * meanProbability)}${tenths(100 * rightShare)}\n`;
  return `probability    cases    said   right\n${bins.map(line).join("")}`;
}

function printTimes(name: string, { p50, p95, p99 }: Summary["wallMs"]): string {
  return `${name.padEnd(15)}${[p50, p95, p99].map((ms) => ms.toFixed(2).padStart(8)).join("")}`;
}

function tenths(value: number | undefined): string {
  return (value === undefined ? "-" : value.toFixed(1)).padStart(8);
}
