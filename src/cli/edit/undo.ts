import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type JournalRecord,
  listJournal,
  type UndoneEdit,
  type UndoOutcome,
  type UndoStop,
  undoEdits,
} from "../../edit/node/index.ts";
import { tryRelativePath } from "../../workspace/index.ts";
import { journalOf } from "../state-folder.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { listed } from "../terminal/print-amount.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { openEditWorkspace } from "./edit-workspace.ts";

/** The options of `emend undo`. */
export interface UndoOptions {
  readonly json: boolean;
  /** Only list the edits. */
  readonly list: boolean;
  /** How many edits to undo, the last one first. */
  readonly steps: number | undefined;
  /** The number of the one edit to undo. */
  readonly id: number | undefined;
}

/** The output of `--json` when edits are undone. Fields may be added; none changes its meaning. */
export interface UndoReport extends UndoOutcome {
  /** The absolute folder that paths are relative to. */
  readonly root: string;
  /** The files of an interrupted edit that were restored instead of undoing an edit before it. */
  readonly restored?: readonly string[];
}

/** The output of `--list --json`: the newest first, with paths from the root. */
export interface UndoListReport {
  readonly root: string;
  readonly edits: readonly JournalRecord[];
}

/**
 * Runs `emend undo [DIR]`: restores the files of the last edit, byte for byte. An edit that cannot
 * be undone gives a message and the exit code `failed`.
 *
 * Throws a {@link CommandFailure} where `--steps` and `--id` are both given, there is no such
 * folder, or another process writes there while the workspace is opened. Rejects with the signal's
 * reason on abort.
 */
export async function undo(folder: string | undefined, options: UndoOptions, terminal: Terminal): Promise<ExitCode> {
  const { list, steps, id } = options;
  if (steps !== undefined && id !== undefined) {
    const message = "--steps counts back from the last edit, and --id names one. Give one of them.";
    throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
  }
  const { root, notes, restored } = await openEditWorkspace({ root: folder }, terminal);
  if (!options.json) for (const note of notes) terminal.err(`${printable(note)}\n`);
  if (list) return printList(root, options, terminal);
  // What was interrupted is the last edit, and it is undone now.
  if (restored.length > 0 && steps === undefined && id === undefined) {
    if (options.json) terminal.out(jsonLine({ root, undone: [], restored } satisfies UndoReport, terminal));
    return exitCodes.done;
  }
  const which = id === undefined ? { steps: steps ?? 1 } : { id };
  const undone =
    id === undefined ? undefined : (await listJournal(root, journalOf(terminal))).find((one) => one.id === id);
  const outcome = await undoEdits(root, which, { journal: journalOf(terminal), signal: terminal.signal });
  if (options.json) terminal.out(jsonLine({ root, ...outcome } satisfies UndoReport, terminal));
  else print(outcome, { root, isAgain: undone?.undoes !== undefined }, terminal);
  return outcome.stopped === undefined ? exitCodes.done : exitCodes.failed;
}

/** `isAgain`: the undone edit was itself an undo, so the original edit is restored. */
function print(
  { undone, stopped }: UndoOutcome,
  { root, isAgain }: { readonly root: string; readonly isAgain: boolean },
  terminal: Terminal,
): void {
  for (const edit of undone) {
    terminal.out(`${printable(`${isAgain ? "Restored" : "Undone"}: ${listed(edit.paths)} (${titleOf(edit)}).`)}\n`);
    if (edit.merged.length > 0) {
      terminal.out(`${printable(`Later changes in other lines were kept: ${listed(edit.merged)}.`)}\n`);
    }
    terminal.out(`\`emend undo --id ${edit.undoneBy}\` ${isAgain ? "undoes it" : "restores the edit"}.\n`);
  }
  if (stopped === undefined) return;
  terminal.err(`${printable(explainStop(stopped, { root, undone }))}\n`);
  if (!("older" in stopped) || stopped.older === undefined) return;
  for (const edit of stopped.older.slice(0, maxOffered))
    terminal.err(`${printable(`\`emend undo --id ${edit.id}\` undoes ${titleOf(edit)}: ${listed(edit.paths)}.`)}\n`);
  if (stopped.older.length > maxOffered)
    terminal.err(`${stopped.older.length - maxOffered} more older edits can be undone, see \`emend undo --list\`.\n`);
  if (stopped.older.length === 0) terminal.err("No older edit can be undone either.\n");
}

/** The most older edits that are suggested, a line each. */
const maxOffered = 5;

/** Why an edit is not undone, and what to do. */
export function explainStop(
  stopped: UndoStop,
  { root, undone }: { readonly root: string; readonly undone: readonly UndoneEdit[] },
): string {
  switch (stopped.kind) {
    case "nothing-left":
      return undone.length > 0
        ? "There is nothing more to undo. `emend undo --list` lists all edits and undos."
        : `There is nothing to undo in ${root}. \`emend undo DIR\` undoes edits of another folder.`;
    case "unknown-id":
      return stopped.older === undefined
        ? `There is no edit ${stopped.id}. \`emend undo --list\` lists the edits.`
        : `Edit ${stopped.id} cannot be undone: its journal entry is unreadable.`;
    case "undone-already": {
      const are = stopped.files.length > 1 ? "are as they were" : "is as it was";
      return `There is nothing to undo of edit ${stopped.id}: ${listed(stopped.files)} ${are} before it.`;
    }
    case "moved-on": {
      const gone = stopped.paths.filter((path) => !existsSync(join(root, path)));
      const changed = stopped.paths.filter((path) => !gone.includes(path));
      const withLines = (path: string) => {
        const { first, last } = stopped.lines?.[path] ?? {};
        if (first === undefined) return path;
        return first === last ? `${path} (line ${first})` : `${path} (lines ${first} to ${last})`;
      };
      const why = [
        ...(changed.length > 0 ? [`${listed(changed.map(withLines))} changed since in the same lines`] : []),
        ...(gone.length > 0 ? [`${listed(gone)} ${gone.length > 1 ? "were" : "was"} deleted since`] : []),
      ];
      const cure =
        changed.length > 0
          ? "Put those lines back as the edit left them, or change them by hand."
          : "Put it back as the edit left it first.";
      return `Edit ${stopped.id} cannot be undone, and no file was changed: ${why.join(", and ")}. ${cure}`;
    }
    case "hard-link": {
      const have = stopped.paths.length > 1 ? "have" : "has";
      return `Edit ${stopped.id} cannot be undone, and no file was changed: ${listed(stopped.paths)} ${have} other names on the disk (hard links), which would keep the text of the edit. Make it a file of its own first: copy it, and move the copy into its place.`;
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
  if (json) terminal.out(jsonLine({ root, edits } satisfies UndoListReport, terminal));
  else if (edits.length === 0) terminal.out(`Nothing was written to ${printable(root)} so far.\n`);
  else for (const edit of edits) terminal.out(`${printRecord(edit, terminal.colour)}\n`);
  return exitCodes.done;
}

/**
 * One line for an edit, such as `  3  2026-01-31 12:00  make add variadic: src/a.ts and src/b.ts`.
 */
function printRecord(record: JournalRecord, colour: boolean): string {
  const time = new Date(record.writtenAtMs);
  const two = (value: number) => String(value).padStart(2, "0");
  const when = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${two(time.getHours())}:${two(time.getMinutes())}`;
  const title = record.undoes === undefined ? titleOf(record) : `undo of ${record.undoes}, ${titleOf(record)}`;
  const state = record.isUndone ? " (undone)" : "";
  const line = printable(
    `${String(record.id).padStart(4)}  ${when}  ${title}: ${listed(record.changes.map(({ path }) => path))}${state}`,
  );
  return record.isUndone ? styled(line, "dim", colour) : line;
}

/** The first line of the instruction, shortened. */
function titleOf({ instruction }: { readonly instruction: string }): string {
  const line = instruction.trim().split("\n", 1)[0]!.trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}
