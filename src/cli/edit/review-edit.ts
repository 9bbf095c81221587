import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  addedIssues,
  type EditJson,
  type EditOutcome,
  type EditProposal,
  editToJson,
  explainEdit,
  proposalOf,
  type RegionReport,
} from "../../edit/index.ts";
import { printFileRefusal, readEditFiles, type WriteOutcome, writeWorkspaceEdit } from "../../edit/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { carryOver, toWorkspaceDiff } from "../../text/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";
import { journalOf, stateFolderOf } from "../state-folder.ts";
import { askForWord } from "../terminal/ask-for-word.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { listed } from "../terminal/print-amount.ts";
import { diffRows, printDiff } from "../terminal/print-diff.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { undoCommand } from "./edit-workspace.ts";

/** What is reviewed, and how. */
export interface EditReview {
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** The instruction, for the journal. */
  readonly instruction: string;
  /** Further notes for a person or a program, one line each. */
  readonly notes: readonly string[];
  /** The name of the model, where one was requested. */
  readonly model?: string;
  /** How the regions were rewritten, with `--at`. */
  readonly regions?: readonly RegionReport[];
  /** Returns a prompt to retry with, for a pasted answer that cannot be used. */
  readonly retryPromptOf?: (outcome: EditOutcome) => string | undefined;
  readonly options: ReviewOptions;
  /** Whether the change was rebased over edits that were saved since it was shown. */
  readonly isCarried?: boolean;
}

/** The options about writing. */
export interface ReviewOptions {
  readonly json: boolean;
  /** Write without asking. */
  readonly yes: boolean;
  /** Write nothing, and do not ask. */
  readonly dryRun: boolean;
}

/** The output of `--json` for an edit. Fields may be added; none changes its meaning. */
export interface EditReport extends EditJson {
  /** The absolute folder that paths are relative to. */
  readonly root: string;
  /** The model that answered. */
  readonly model?: string;
  /** With `--at`: how each region was rewritten, in the order of the file. */
  readonly regions?: readonly RegionReport[];
  readonly isWritten: boolean;
  /** After writing: its number in the journal, and the files. */
  readonly undoId?: number;
  readonly writtenPaths?: readonly string[];
  /** Why it was not written, although it could be. */
  readonly reason?: string;
  /** A prompt for the chat whose answer could not be used. */
  readonly retryPrompt?: string;
  readonly notes: readonly string[];
}

/**
 * Shows the outcome of an edit, asks whether to write it, and writes it.
 *
 * Standard output gets only the diff, or the object of `--json`; all else goes to standard error. A
 * change that is not written gives a message and an exit code, not a failure. Rejects with the
 * signal's reason on abort.
 */
export async function reviewEdit(outcome: EditOutcome, review: EditReview, terminal: Terminal): Promise<ExitCode> {
  const { root, model, regions, notes, options } = review;
  const isPasted = model === undefined;
  const retryPrompt = isUsable(outcome) ? undefined : review.retryPromptOf?.(outcome);
  if (!options.json) print(outcome, { isPasted, retryPrompt, notes }, terminal);
  const end =
    outcome.kind === "offered" ? await confirmAndWrite(outcome.proposal, review, terminal) : unwritable[outcome.kind];
  if (options.json) {
    const report: EditReport = {
      ...editToJson(outcome),
      ...{ root, ...(model !== undefined && { model }), isWritten: end.written !== undefined },
      ...(regions && { regions }),
      ...(end.written && { undoId: end.written.id, writtenPaths: end.written.paths }),
      ...(outcome.kind === "offered" && end.message !== undefined && !end.written && { reason: end.message }),
      ...(retryPrompt !== undefined && { retryPrompt }),
      notes,
    };
    terminal.out(jsonLine(report, terminal));
  } else {
    if (end.message !== undefined) terminal.err(`${printable(end.message)}\n`);
  }
  return end.exitCode;
}

/** How a review ended. */
export interface ReviewEnd {
  readonly exitCode: ExitCode;
  readonly written?: Extract<WriteOutcome, { readonly kind: "written" }>;
  readonly message?: string;
}

const unused: ReviewEnd = { exitCode: exitCodes.failed, message: "Nothing is written." };
const unwritable: Readonly<Record<Exclude<EditOutcome["kind"], "offered">, ReviewEnd>> = {
  unchanged: { exitCode: exitCodes.done },
  refused: unused,
  broken: unused,
  "failed-verification": unused,
  stale: unused,
};

function isUsable({ kind }: EditOutcome): boolean {
  return kind === "offered" || kind === "unchanged";
}

function print(
  outcome: EditOutcome,
  {
    isPasted,
    retryPrompt,
    notes,
  }: { readonly isPasted: boolean; readonly retryPrompt: string | undefined; readonly notes: readonly string[] },
  terminal: Terminal,
): void {
  const proposal = proposalOf(outcome);
  const diff = proposal === undefined ? "" : toWorkspaceDiff(proposal.files, proposal.edit);
  // A patch that should not be applied does not go to standard output, where a program may read it.
  if (outcome.kind === "offered") terminal.out(printDiff(diff, terminal));
  else terminal.err(diffRows(diff, terminal.colour).join(""));
  const rows = [...explainEdit(outcome, { isPasted }).trimEnd().split("\n"), ...notes].map(printable);
  // Warnings are coloured, since they are easily missed below a long diff.
  const shown = rows.map((row) => (row.startsWith("  warning ") ? styled(row, "yellow", terminal.colour) : row));
  terminal.err(shown.map((row) => `${row}\n`).join(""));
  if (retryPrompt === undefined) return;
  terminal.err("Paste this into the chat, and apply its answer in the same way:\n\n");
  terminal.out(retryPrompt);
}

/** A change that may be written. */
export type ProposedChange = Pick<EditProposal, "edit" | "files" | "warnings">;

/** How a change that was shown is written. */
export type WritingReview = Pick<EditReview, "root" | "instruction" | "options" | "isCarried">;

/**
 * Asks whether to write a change that was shown, and writes it to all of its files or to none.
 * Where it is not confirmed or cannot be written, nothing is written and the result has no
 * `written`. With `json` there is no question, so only `yes` confirms; with `dryRun` nothing is
 * written in any case.
 */
export async function confirmAndWrite(
  proposal: ProposedChange,
  review: WritingReview,
  terminal: Terminal,
): Promise<ReviewEnd> {
  const { json, yes, dryRun } = review.options;
  if (dryRun) return { exitCode: exitCodes.done, message: "Nothing is written: this is a dry run." };
  if (!yes) {
    const { changes } = proposal.edit;
    const doubts = proposal.warnings.length;
    const despite = doubts === 0 ? "" : doubts === 1 ? ", despite the warning" : `, despite ${doubts} warnings`;
    const what =
      changes.length === 1
        ? `${changes[0]!.kind === "delete" ? "Remove" : "Write"} this file`
        : `Write these ${changes.length} files`;
    const choice = { words: ["yes", "no"], atEnd: "no", ifEmpty: "no" } as const;
    const answer = json ? undefined : await askForWord(`${what}${despite}? [y/n] `, choice, terminal);
    if (answer === undefined) {
      const message =
        "Nothing is written: there is no terminal to confirm at. Add --yes to write, or --dry-run to only show the change.";
      return { exitCode: exitCodes.notWritten, message };
    }
    if (answer === "no") return { exitCode: exitCodes.notWritten, message: "Nothing is written." };
  }
  return write(proposal, review, terminal);
}

async function write(proposal: ProposedChange, review: WritingReview, terminal: Terminal): Promise<ReviewEnd> {
  const { root, instruction } = review;
  const { signal } = terminal;
  const options = { journal: journalOf(terminal), signal };
  const outcome = await writeWorkspaceEdit(root, { ...proposal, instruction }, options);
  switch (outcome.kind) {
    case "written": {
      const undo = `\`${await undoCommand(root, terminal)}\` undoes it.`;
      const carried = review.isCarried ? " Changes saved meanwhile in other lines are kept." : "";
      return {
        exitCode: exitCodes.done,
        written: outcome,
        message: `Written: ${listed(outcome.paths)}.${carried} ${undo}`,
      };
    }
    case "unchanged":
      return { exitCode: exitCodes.done, message: "The files have this content already." };
    case "refused":
      return failed(outcome.refusals.map(printFileRefusal).join(" "));
    case "stale": {
      // Rebased only once, so that a file that keeps changing does not cause a loop.
      const carried = review.isCarried === true ? undefined : await carryProposal(proposal, root);
      if (carried !== undefined) return write(carried, { ...review, isCarried: true }, terminal);
      const where = review.options.json ? "" : ` ${await keepDiff(proposal, terminal)}`;
      return failed(`${listed(outcome.paths)} changed on the disk meanwhile, in lines of this change.${where}`);
    }
    case "busy":
      return failed(
        `Another Emend (process ${outcome.processId ?? "unknown"}) writes here. Try again when it is done.`,
      );
    case "failed":
      return failed(
        `${outcome.message}${outcome.isUnfinished ? " Some files could not be restored; the next run restores them." : ""}`,
      );
  }
}

/**
 * Saves the diff of a change that could not be written, and returns a sentence that contains where.
 */
async function keepDiff({ files, edit }: ProposedChange, terminal: Terminal): Promise<string> {
  const path = join(stateFolderOf(terminal), "not-written.diff");
  try {
    await makeFolder(dirname(path), { mode: 0o700 });
    // Only its owner may read it, like the journal; so a file with other permissions is replaced.
    await rm(path, { force: true });
    await writeFile(path, toWorkspaceDiff(files, edit), { mode: 0o600 });
  } catch {
    return "The change is in the diff above.";
  }
  return `The change is saved in ${path}: restore those lines and run \`emend apply ${path}\`, or make it by hand.`;
}

function failed(message: string): ReviewEnd {
  return { exitCode: exitCodes.failed, message: `Nothing is written. ${message}` };
}

/**
 * Rebases a proposal over changes of its files on the disk. Returns `undefined` where lines of the
 * proposal have changed, or where both changes together would add a syntax error.
 */
async function carryProposal<Proposal extends Pick<EditProposal, "edit" | "files">>(
  proposal: Proposal,
  root: string,
): Promise<Proposal | undefined> {
  const textNow = async (path: string) => (await readEditFiles(root, [path])).files[0]?.text;
  const carried = await carryOver(proposal.files, proposal.edit, textNow);
  if (carried.kind === "stale") return undefined;
  const { files, edit } = carried;
  using syntax = openSyntax();
  const issues = await addedIssues(files, edit, { syntax, known: new Map() });
  return issues.length === 0 ? { ...proposal, files, edit } : undefined;
}
