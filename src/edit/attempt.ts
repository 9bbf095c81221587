import { withoutReasoning } from "../answers/index.ts";
import type { Refusal, ResolvedOperation } from "../formats/index.ts";
import type { EditOutcome, EditProposal } from "./edit-outcome.ts";
import type { AddedIssue } from "./repair/added-issues.ts";

/** The result of checking one answer together with the earlier answers that it builds on. */
export interface Attempt extends Omit<EditProposal, "requests"> {
  /**
   * The resolved operations of all answers in this format so far. A later answer that corrects some
   * of them is resolved beside these.
   */
  readonly placed: readonly ResolvedOperation[];
  readonly refusals: readonly Refusal[];
  /** The syntax errors that the edit adds. */
  readonly issues: readonly AddedIssue[];
  /** The report of the verification command, where it fails. */
  readonly report?: string;
  /** The files that changed on disk meanwhile in the lines that the edit is about. */
  readonly stalePaths?: readonly string[];
  /** The first rows of the answer, where it contains no edit. */
  readonly openingRows?: readonly string[];
  /** The model answered that nothing needs to change. */
  readonly declaresNoChange?: boolean;
  /** Whether another request to the model cannot improve on this. */
  readonly isFinal?: boolean;
}

/**
 * Whether `attempt` is at least as good as `other`.
 *
 * Compared in order: whether it changes anything, the number of refusals, of syntax errors, and
 * whether the verification command fails.
 */
export function isNoWorse(attempt: Attempt, other: Attempt): boolean {
  const mine = badness(attempt);
  const theirs = badness(other);
  const differing = mine.findIndex((value, i) => value !== theirs[i]);
  return differing < 0 || mine[differing]! < theirs[differing]!;
}

function badness({ edit, refusals, issues, report }: Attempt): readonly number[] {
  return [edit.changes.length === 0 ? 1 : 0, refusals.length, issues.length, report === undefined ? 0 : 1];
}

/**
 * Converts the final attempt to the outcome that the caller receives; `requestCount` is the number
 * of requests sent to a model. Refusals come before syntax errors, these before a failed
 * verification, and that before stale files.
 */
export function outcomeOf(attempt: Attempt, requestCount: number): EditOutcome {
  const { edit, refusals, issues, report, stalePaths, openingRows: firstRows, declaresNoChange } = attempt;
  const isEmpty = edit.changes.length === 0;
  if (declaresNoChange) return { kind: "unchanged", message: "The model says that there is nothing to change." };
  if (isEmpty && refusals.length > 0 && refusals.every(({ kind }) => kind === "no-change")) {
    return { kind: "unchanged", message: refusals[0]!.message };
  }
  if (isEmpty && refusals.some(({ kind }) => kind === "already-applied") && refusals.every(hasNoEffect)) {
    const paths = [...new Set(refusals.flatMap(({ path }) => path ?? []))];
    return { kind: "unchanged", message: `The change is already in ${paths.join(", ")}.` };
  }
  const best = proposalOf(attempt, requestCount);
  if (refusals.length > 0)
    return { kind: "refused", refusals, best: isEmpty ? undefined : best, ...(firstRows && { firstRows }) };
  if (issues.length > 0) return { kind: "broken", issues, best };
  if (report !== undefined) return { kind: "failed-verification", report, best };
  if (stalePaths !== undefined) return { kind: "stale", paths: stalePaths, best };
  return { kind: "offered", proposal: best };
}

function hasNoEffect({ kind }: Refusal): boolean {
  return kind === "already-applied" || kind === "no-change";
}

function proposalOf(attempt: Attempt, requestCount: number): EditProposal {
  const { edit, files, format, repairs, normalizations, warnings } = attempt;
  return { edit, files, format, repairs, normalizations, warnings, requests: requestCount };
}

const maxRows = 4;
const maxCharacters = 160;

/**
 * The first rows of an answer without edits, for people: at most four that are not blank, without
 * reasoning. A row of more than 160 UTF-16 units is cut there and ends with `…`; a last row `…` is
 * added where there are more rows.
 */
export function firstRows(answer: string): readonly string[] {
  const rows = withoutReasoning(answer)
    .split(/\r?\n/)
    .filter((row) => row.trim() !== "");
  const shown = rows
    .slice(0, maxRows)
    .map((row) => (row.length > maxCharacters ? `${row.slice(0, maxCharacters).trimEnd()}…` : row.trimEnd()));
  return rows.length > maxRows ? [...shown, "…"] : shown;
}

/**
 * Adds the first rows of the answer to an attempt that was refused because the answer contains no
 * edit. Returns any other attempt unchanged.
 */
export function withFirstRows(attempt: Attempt, answer: string): Attempt {
  const openingRows = attempt.refusals.some(({ kind }) => kind === "no-edits") ? firstRows(answer) : [];
  return openingRows.length === 0 ? attempt : { ...attempt, openingRows };
}
