import { existsSync } from "node:fs";
import { join } from "node:path";
import { tryRelativePath } from "../codebase/index.ts";
import {
  type JournalRecord,
  listJournal,
  type UndoneEdit,
  type UndoOutcome,
  type UndoStop,
  undoEdits,
} from "../edit/node/index.ts";
import { openEditWorkspace } from "./edit-workspace.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { journalOf } from "./journal-of.ts";
import { listed } from "./print-names.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What may be said on the command line of `emend undo`. */
export interface UndoOptions {
  readonly json: boolean;
  /** Only say what was written. */
  readonly list: boolean;
  /** How many edits are taken back, the last one first. */
  readonly steps: number | undefined;
  /** The edit of this number, and no other. */
  readonly id: number | undefined;
}

/** What `--json` prints when edits are taken back. Fields may be added; none changes its meaning. */
export interface UndoReport extends UndoOutcome {
  /** The absolute folder that paths are in. */
  readonly root: string;
}

/** What `--list --json` prints: the newest first, with paths from the root. */
export interface UndoListReport {
  readonly root: string;
  readonly edits: readonly JournalRecord[];
}

/** Runs `emend undo [DIR]`: takes back what was written last, byte for byte. */
export async function undo(folder: string | undefined, options: UndoOptions, terminal: Terminal): Promise<ExitCode> {
  const { list, steps, id } = options;
  if (steps !== undefined && id !== undefined) {
    const message = "--steps counts back from the last edit, and --id names one. Give one of them.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const { root, notes } = await openEditWorkspace({ root: folder }, terminal);
  if (!options.json) for (const note of notes) terminal.err(`${printable(note)}\n`);
  if (list) return printList(root, options, terminal);
  const which = id === undefined ? { steps: steps ?? 1 } : { id };
  const undone =
    id === undefined ? undefined : (await listJournal(root, journalOf(terminal))).find((one) => one.id === id);
  const outcome = await undoEdits(root, which, { journal: journalOf(terminal), signal: terminal.signal });
  if (options.json) terminal.out(`${JSON.stringify({ root, ...outcome } satisfies UndoReport)}\n`);
  else print(outcome, { root, isAgain: undone?.undoes !== undefined }, terminal);
  return outcome.stopped === undefined ? exitCodes.done : exitCodes.failed;
}

/** `isAgain` says that an undo is taken back, so that its edit is made again. */
function print(
  { undone, stopped }: UndoOutcome,
  { root, isAgain }: { readonly root: string; readonly isAgain: boolean },
  terminal: Terminal,
): void {
  for (const edit of undone) {
    terminal.out(
      `${printable(`${isAgain ? "Made again" : "Taken back"}: ${listed(edit.paths)} (${titleOf(edit)}).`)}\n`,
    );
    if (edit.merged.length > 0) {
      terminal.out(`${printable(`Changed since in other lines, which stay changed: ${listed(edit.merged)}.`)}\n`);
    }
    terminal.out(`\`emend undo --id ${edit.undoneBy}\` ${isAgain ? "takes it back" : "makes the edit again"}.\n`);
  }
  if (stopped !== undefined) terminal.err(`${printable(sentenceOf(stopped, { root, undone }))}\n`);
}

function sentenceOf(
  stopped: UndoStop,
  { root, undone }: { readonly root: string; readonly undone: readonly UndoneEdit[] },
): string {
  switch (stopped.kind) {
    case "nothing-left":
      return undone.length > 0
        ? "There is nothing further to take back."
        : `There is nothing to take back in ${root}. \`emend undo DIR\` looks in another folder.`;
    case "unknown-id":
      return `There is no edit ${stopped.id}. \`emend undo --list\` says which there are.`;
    case "undone-already":
      return `Edit ${stopped.id} is taken back already.`;
    case "moved-on": {
      const gone = stopped.paths.filter((path) => !existsSync(join(root, path)));
      const changed = stopped.paths.filter((path) => !gone.includes(path));
      const why = [
        ...(changed.length > 0 ? [`${listed(changed)} changed since in the same lines`] : []),
        ...(gone.length > 0 ? [`${listed(gone)} ${gone.length > 1 ? "are" : "is"} gone since`] : []),
      ];
      const cure =
        changed.length > 0
          ? "Put those lines back as the edit left them, or change them by hand."
          : "Put it back as the edit left it first.";
      return `Edit ${stopped.id} is not taken back, and no file is touched: ${why.join(", and ")}. ${cure}`;
    }
    case "busy":
      return `Another Emend (process ${stopped.processId ?? "unknown"}) writes here. Try again when it is done.`;
    case "failed":
      return stopped.message;
  }
}

async function printList(root: string, { json }: UndoOptions, terminal: Terminal): Promise<ExitCode> {
  const records = await listJournal(root, journalOf(terminal));
  const edits = records.map((record) => ({
    ...record,
    changes: record.changes.map((change) => ({ ...change, path: tryRelativePath(root, change.path) ?? change.path })),
  }));
  if (json) terminal.out(`${JSON.stringify({ root, edits } satisfies UndoListReport)}\n`);
  else if (edits.length === 0) terminal.out(`Nothing was written to ${printable(root)} so far.\n`);
  else for (const edit of edits) terminal.out(`${printRecord(edit, terminal.colour)}\n`);
  return exitCodes.done;
}

/** One line, such as `  3  2026-01-31 12:00  make add variadic: src/a.ts and src/b.ts`. */
function printRecord(record: JournalRecord, colour: boolean): string {
  const time = new Date(record.writtenAtMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const when = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
  const title = record.undoes === undefined ? titleOf(record) : `took back ${record.undoes}, ${titleOf(record)}`;
  const state = record.isUndone ? " (taken back)" : "";
  const line = printable(
    `${String(record.id).padStart(4)}  ${when}  ${title}: ${listed(record.changes.map(({ path }) => path))}${state}`,
  );
  return record.isUndone ? styled(line, "dim", colour) : line;
}

/** The beginning of what was asked for, on one line. */
function titleOf({ instruction }: { readonly instruction: string }): string {
  const line = instruction.trim().split("\n", 1)[0]!.trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
