import type { FormatName, Lenience, PlacedAsk, Refusal } from "../formats/index.ts";
import type { FileTexts, WorkspaceEdit } from "../text/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import type { BoundaryRepair } from "./boundary-repair.ts";
import type { EditOutcome, EditProposal, FileIssue } from "./edit-outcome.ts";

/** What one answer, with those before it, comes to. */
export interface Attempt {
  readonly format: FormatName | "regions";
  /** On `files`. */
  readonly edit: WorkspaceEdit;
  readonly files: FileTexts;
  /** The edits of the answers in this format that found their place, for an answer that mends the others. */
  readonly placed: readonly PlacedAsk[];
  readonly refusals: readonly Refusal[];
  readonly repairs: readonly BoundaryRepair[];
  readonly leniences: readonly Lenience[];
  readonly warnings: readonly string[];
  /** The syntax errors that the edit adds. */
  readonly issues: readonly AddedIssue[];
  /** What the check says, where it is not content. */
  readonly report?: string;
  /** What was changed by somebody else meanwhile, where the edit does not fit any more. */
  readonly stalePaths?: readonly string[];
  /** How the answer begins, where it holds no edit. */
  readonly said?: readonly string[];
  /** The model says that there is nothing to change. */
  readonly saysNoChange?: boolean;
  /** Whether asking again is of no use. */
  readonly isFinal?: boolean;
}

/** Whether `attempt` is at least as good as `other`: it changes something, less of it was refused, less is broken. */
export function isNoWorse(attempt: Attempt, other: Attempt): boolean {
  const mine = badness(attempt);
  const theirs = badness(other);
  const differing = mine.findIndex((value, i) => value !== theirs[i]);
  return differing < 0 || mine[differing]! < theirs[differing]!;
}

function badness({ edit, refusals, issues, report }: Attempt): readonly number[] {
  return [edit.changes.length === 0 ? 1 : 0, refusals.length, issues.length, report === undefined ? 0 : 1];
}

/** What an attempt is to whoever asked, if it is the last; `asks` says how often a model was asked. */
export function outcomeOf(attempt: Attempt, asks: number): EditOutcome {
  const { edit, refusals, issues, report, stalePaths, said, saysNoChange } = attempt;
  const isEmpty = edit.changes.length === 0;
  if (saysNoChange) return { kind: "unchanged", message: "The model says that there is nothing to change." };
  if (isEmpty && refusals.length > 0 && refusals.every(({ kind }) => kind === "no-change")) {
    return { kind: "unchanged", message: refusals[0]!.message };
  }
  const best = proposalOf(attempt, asks);
  if (refusals.length > 0)
    return { kind: "refused", refusals, best: isEmpty ? undefined : best, ...(said && { said }) };
  if (issues.length > 0) return { kind: "broken", issues: issues.map(toFileIssue), best };
  if (report !== undefined) return { kind: "failed-check", report, best };
  if (stalePaths !== undefined) return { kind: "stale", paths: stalePaths, best };
  return { kind: "offered", proposal: best };
}

function proposalOf(attempt: Attempt, asks: number): EditProposal {
  const { edit, files, format, repairs, leniences, warnings } = attempt;
  return { edit, files, format, repairs, leniences, warnings, asks };
}

function toFileIssue({ path, issue, suspectLine }: AddedIssue): FileIssue {
  return { path, issue, suspectLine };
}
