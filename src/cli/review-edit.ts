import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  type EditJson,
  type EditOutcome,
  type EditProposal,
  editToJson,
  explainEdit,
  proposalOf,
  type RegionReport,
} from "../edit/index.ts";
import { printFileRefusal, type WriteOutcome, writeWorkspaceEdit } from "../edit/node/index.ts";
import { toWorkspaceDiff } from "../text/index.ts";
import { carryProposal } from "./carry-proposal.ts";
import { undoCommand } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { journalOf, stateFolderOf } from "./journal-of.ts";
import { diffRows, printDiff } from "./print-diff.ts";
import { listed } from "./print-names.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What is to be reviewed, and how. */
export interface EditReview {
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** What was asked for, for the journal. */
  readonly instruction: string;
  /** What a person or a program should know besides, one line each. */
  readonly notes: readonly string[];
  /** Who answered, where it was a model of ours. */
  readonly model?: string;
  /** How the regions came about, where these alone were rewritten. */
  readonly regions?: readonly RegionReport[];
  /** What to tell whoever gave the answer, where it cannot be used. */
  readonly askAgain?: (outcome: EditOutcome) => string | undefined;
  readonly options: ReviewOptions;
  /** Whether files were changed in other lines since the change was shown. */
  readonly isCarried?: boolean;
}

/** What the command line says of writing. */
export interface ReviewOptions {
  readonly json: boolean;
  /** Write without a question. */
  readonly yes: boolean;
  /** Write nothing, and do not ask. */
  readonly dryRun: boolean;
}

/** What `--json` prints for an edit. Fields may be added; none changes its meaning. */
export interface EditReport extends EditJson {
  /** The absolute folder that paths are in. */
  readonly root: string;
  /** The model that answered. */
  readonly model?: string;
  /** With `--at`: how each region came about, in the order of the file. */
  readonly regions?: readonly RegionReport[];
  readonly isWritten: boolean;
  /** When it was written: its number in the journal, and the files. */
  readonly undoId?: number;
  readonly writtenPaths?: readonly string[];
  /** Why it was not written, although it could be. */
  readonly reason?: string;
  /** What may be pasted into the chat that gave the answer, where that could not be used. */
  readonly retryPrompt?: string;
  readonly notes: readonly string[];
}

/**
 * Shows what became of an instruction, asks, and writes.
 *
 * Standard output gets the diff and nothing else, or the object of `--json`; the rest is for the person.
 */
export async function reviewEdit(outcome: EditOutcome, review: EditReview, terminal: Terminal): Promise<ExitCode> {
  const { root, model, regions, notes, options } = review;
  const retryPrompt = isUsable(outcome) ? undefined : review.askAgain?.(outcome);
  if (!options.json) print(outcome, { retryPrompt, notes }, terminal);
  const end = outcome.kind === "offered" ? await settle(outcome.proposal, review, terminal) : unwritable[outcome.kind];
  if (options.json) {
    const report: EditReport = {
      ...editToJson(outcome),
      ...{ root, ...(model !== undefined && { model }), isWritten: end.written !== undefined },
      ...(regions && { regions }),
      ...(end.written && { undoId: end.written.id, writtenPaths: end.written.paths }),
      ...(outcome.kind === "offered" && end.message !== undefined && !end.written && { reason: end.message }),
      ...(retryPrompt !== undefined && { retryPrompt }),
      notes: [...notes, ...(end.written?.warnings ?? [])],
    };
    terminal.out(`${JSON.stringify(report)}\n`);
  } else {
    for (const warning of end.written?.warnings ?? []) terminal.err(`${printable(warning)}\n`);
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
  "failed-check": unused,
  stale: unused,
};

function isUsable({ kind }: EditOutcome): boolean {
  return kind === "offered" || kind === "unchanged";
}

function print(
  outcome: EditOutcome,
  { retryPrompt, notes }: { readonly retryPrompt: string | undefined; readonly notes: readonly string[] },
  terminal: Terminal,
): void {
  const proposal = proposalOf(outcome);
  const diff = proposal === undefined ? "" : toWorkspaceDiff(proposal.files, proposal.edit);
  // A patch that nobody should apply does not go where a program may be waiting for one.
  if (outcome.kind === "offered") terminal.out(printDiff(diff, terminal));
  else terminal.err(diffRows(diff, terminal.colour).join(""));
  const rows = [...explainEdit(outcome).trimEnd().split("\n"), ...notes].map(printable);
  // What a person should look at is easily missed below a long diff.
  const shown = rows.map((row) => (row.startsWith("  warning ") ? styled(row, "yellow", terminal.colour) : row));
  terminal.err(shown.map((row) => `${row}\n`).join(""));
  if (retryPrompt === undefined) return;
  terminal.err("Paste this into the chat, and take its answer in the same way:\n\n");
  terminal.out(retryPrompt);
}

/** A change that may be written. */
export type ProposedChange = Pick<EditProposal, "edit" | "files" | "warnings">;

/** How a change that was shown is to be written. */
export type WritingReview = Pick<EditReview, "root" | "instruction" | "options" | "isCarried">;

/** Asks whether a change that was shown is to be written, and writes it as one edit, whole or not at all. */
export async function settle(proposal: ProposedChange, review: WritingReview, terminal: Terminal): Promise<ReviewEnd> {
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
    const word = json ? undefined : await terminal.ask(`${what}${despite}? [y/n] `);
    if (word === undefined) {
      const message = "Nothing is written, since nobody could be asked. Add --yes to write, or --dry-run to only look.";
      return { exitCode: exitCodes.notWritten, message };
    }
    if (!/^\s*y(es)?\s*$/i.test(word)) return { exitCode: exitCodes.notWritten, message: "Nothing is written." };
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
      const undo = `\`${await undoCommand(root, terminal)}\` takes it back.`;
      const carried = review.isCarried ? " What was saved meanwhile in other lines is kept." : "";
      return {
        exitCode: exitCodes.done,
        written: outcome,
        message: `Written: ${listed(outcome.paths)}.${carried} ${undo}`,
      };
    }
    case "unchanged":
      return { exitCode: exitCodes.done, message: "The files are so already." };
    case "refused":
      return failed(outcome.refusals.map(printFileRefusal).join(" "));
    case "stale": {
      // Once: whoever saves without end is not raced.
      const carried = review.isCarried === true ? undefined : await carryProposal(proposal, root);
      if (carried !== undefined) return write(carried, { ...review, isCarried: true }, terminal);
      const where = review.options.json ? "" : ` ${await keepDiff(proposal, terminal)}`;
      return failed(
        `${listed(outcome.paths)} changed on the disk meanwhile, in lines that the change is about.${where}`,
      );
    }
    case "busy":
      return failed(
        `Another Emend (process ${outcome.processId ?? "unknown"}) writes here. Try again when it is done.`,
      );
    case "failed":
      return failed(
        `${outcome.message}${outcome.isUnfinished ? " Some files could not be taken back; the next run does that." : ""}`,
      );
  }
}

/** Keeps a change that cannot be written now, and says how to have it. */
async function keepDiff({ files, edit }: ProposedChange, terminal: Terminal): Promise<string> {
  const path = join(stateFolderOf(terminal), "not-written.diff");
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // It is for its owner only, as the journal is, whatever an older file of this name allowed.
    await rm(path, { force: true });
    await writeFile(path, toWorkspaceDiff(files, edit), { mode: 0o600 });
  } catch {
    return "The change is in the diff above.";
  }
  return `The change is kept in ${path}: put those lines back and \`emend apply ${path}\` makes it, or make it by hand.`;
}

function failed(message: string): ReviewEnd {
  return { exitCode: exitCodes.failed, message: `Nothing is written. ${message}` };
}
