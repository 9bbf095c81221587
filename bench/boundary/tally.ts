import type { EditOutcome } from "../../src/edit/edit-outcome.ts";
import { type MistakeName, mistakeNames } from "./mistakes.ts";

/** What became of one mistake, or of one correct change. */
export type Verdict =
  /** It is offered as it is, without a word. */
  | "unnoticed"
  /** It is not offered: the model is requested again. */
  | "left"
  /** It is offered as it is, with a warning. */
  | "reported"
  /** It became what was meant. */
  | "exact"
  /** It was moved, and is offered as something else. */
  | "wrong";

/**
 * Judges the outcome of an answer that asks for one change, by the text that the change should have
 * made.
 */
export function verdictOf(outcome: EditOutcome, isIntended: boolean): Verdict {
  if (outcome.kind !== "offered") return "left";
  if (isIntended) return "exact";
  const { repairs, normalizations, warnings } = outcome.proposal;
  if (repairs.length > 0 || normalizations.some(({ kind }) => kind === "moved")) return "wrong";
  return warnings.length > 0 ? "reported" : "unnoticed";
}

/**
 * How often each verdict was given on a mistake, and how many of these mistakes leave a text that
 * parses.
 */
export interface MistakeRow {
  readonly name: MistakeName | "all";
  readonly made: number;
  readonly parses: number;
  readonly triggered: number;
  readonly exact: number;
  readonly left: number;
  readonly reported: number;
  readonly wrong: number;
}

/** What was found out about one mistake. */
export interface MistakeResult {
  readonly name: MistakeName;
  readonly parses: boolean;
  readonly verdict: Verdict;
}

/** A row for each mistake that was made, and one for all. */
export function mistakeRows(results: readonly MistakeResult[]): MistakeRow[] {
  const rows = mistakeNames.map((name) =>
    rowOf(
      name,
      results.filter((result) => result.name === name),
    ),
  );
  return [...rows.filter(({ made }) => made > 0), rowOf("all", results)];
}

function rowOf(name: MistakeRow["name"], results: readonly MistakeResult[]): MistakeRow {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length;
  const [exact, left, reported, wrong] = [count("exact"), count("left"), count("reported"), count("wrong")];
  const parses = results.filter((result) => result.parses).length;
  const triggered = exact + left + reported + wrong;
  return { name, made: results.length, parses, triggered, exact, left, reported, wrong };
}

/** The rows as a table; shares in percent. */
export function printMistakeRows(rows: readonly MistakeRow[]): string {
  const head = ["mistake", "made", "still parses", "triggered", "exact", "left", "reported", "wrong", "unnoticed"];
  const table = rows.map(({ name, made, parses, triggered, exact, left, reported, wrong }) => [
    name,
    String(made),
    percent(parses, made),
    percent(triggered, made),
    percent(exact, triggered),
    percent(left, triggered),
    percent(reported, triggered),
    String(wrong),
    percent(made - triggered, made),
  ]);
  const widths = head.map((title, column) =>
    Math.max(...[head, ...table].map((row) => row[column]!.length), title.length),
  );
  return [head, ...table]
    .map((row) => row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "))
    .join("\n");
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
