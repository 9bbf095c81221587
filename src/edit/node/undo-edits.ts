import { EditJournal, type JournalOptions, type ListedEntry } from "./edit-journal.ts";
import { FileTransaction, removeFolders } from "./file-transaction.ts";
import { reverseChanges } from "./reverse-changes.ts";
import { type JournalAccess, realRootOf, type WriteOptions } from "./with-journal.ts";
import { type NotWritten, pathsFromRoot, writing } from "./write-workspace-edit.ts";

/** Which edits are to be taken back: the last ones that are still in force, or one by its number. */
export type EditsToUndo = { readonly steps: number } | { readonly id: number };

/** What became of taking edits back. */
export interface UndoOutcome {
  /** The edits that were taken back, in this order. */
  readonly undone: readonly UndoneEdit[];
  /** Why it went no further. */
  readonly stopped?: UndoStop;
}

/** An edit that was taken back. Paths are from the workspace's root. */
export interface UndoneEdit {
  readonly id: number;
  readonly instruction: string;
  /** The number of the entry that took it back; to undo that is to have the edit again. */
  readonly undoneBy: number;
  readonly paths: readonly string[];
  /** Those of the paths that were changed in other lines since; these changes stay. */
  readonly merged: readonly string[];
}

/** Why an edit is not taken back. No file of it is touched then. */
export type UndoStop =
  /** The journal of this workspace has no further edit in force. */
  | { readonly kind: "nothing-left" }
  /** The journal has no entry of this number, or has it no more. */
  | { readonly kind: "unknown-id"; readonly id: number }
  /** All its files are as they were before it. */
  | { readonly kind: "undone-already"; readonly id: number }
  /** These files were changed since in the same lines, or are there or gone against its word. */
  | { readonly kind: "moved-on"; readonly id: number; readonly paths: readonly string[] }
  | Extract<NotWritten, { readonly kind: "busy" | "failed" }>;

/**
 * Takes edits back that were written to the workspace at the absolute path `root`, byte for byte.
 *
 * What somebody changed since stays, if it lies in other lines; otherwise nothing of that edit is taken back. Each edit
 * is taken back whole or not at all, and that is an entry of the journal of its own, which can be undone by its number.
 */
export async function undoEdits(root: string, which: EditsToUndo, options: WriteOptions): Promise<UndoOutcome> {
  const undone: UndoneEdit[] = [];
  const steps = "id" in which ? 1 : which.steps;
  for (let step = 0; step < steps; step += 1) {
    const answer = await writing(root, options, async (access) => {
      const id = "id" in which ? which.id : newestInForce(await access.journal.list());
      return id === undefined ? ({ kind: "nothing-left" } as const) : undoOne(id, access, options);
    });
    if (answer.kind !== "undone") return { undone, stopped: answer };
    undone.push(answer.edit);
  }
  return { undone };
}

/** An entry of a workspace's journal, for a list of them. Paths are absolute. */
export interface JournalRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly writtenAtMs: number;
  readonly instruction: string;
  /** The entry that this one took back. */
  readonly undoes?: number;
  /** Whether it was taken back itself. */
  readonly isUndone: boolean;
  /** Whether it never came into force: it was taken back at once, but for files which somebody else had changed. */
  readonly isLeft: boolean;
  readonly changes: readonly { readonly path: string; readonly kind: "created" | "changed" | "removed" }[];
}

/** What was written to the workspace at the absolute path `root`, as far as the journal goes back, the newest first. */
export async function listJournal(root: string, options: JournalOptions): Promise<readonly JournalRecord[]> {
  const heads = await new EditJournal(await realRootOf(root, options.disk), options).list();
  const takenBack = takenBackIn(heads);
  return heads.map(({ id, writtenAtMs, instruction, isLeft, undoes, changes }) => ({
    ...{ id, writtenAtMs, instruction, isLeft, isUndone: takenBack.has(id) },
    ...(undoes !== undefined && { undoes }),
    changes: changes.map(({ path, before, after }) => {
      const kind = before.kind === "nothing" ? "created" : after.kind === "nothing" ? "removed" : "changed";
      return { path, kind };
    }),
  }));
}

async function undoOne(
  id: number,
  access: JournalAccess,
  options: WriteOptions,
): Promise<{ readonly kind: "undone"; readonly edit: UndoneEdit } | UndoStop> {
  const { journal, realRoot } = access;
  const entry = await journal.tryLoad(id);
  if (entry === undefined || entry.root !== realRoot) return { kind: "unknown-id", id };
  const { puts, merged, conflicts } = await reverseChanges(entry.changes, journal.disk);
  if (conflicts.length > 0) return { kind: "moved-on", id, paths: pathsFromRoot(conflicts, access) };
  if (puts.length === 0) return { kind: "undone-already", id };
  const { instruction } = entry;
  const transaction = await FileTransaction.begin(
    puts.map(({ path, now, state }) => ({ path, before: now, after: state })),
    { root: realRoot, instruction, isTrial: false, undoes: id },
    journal,
  );
  const applied = await transaction.apply(options);
  if (applied.kind === "stale") return { kind: "moved-on", id, paths: pathsFromRoot(applied.paths, access) };
  await transaction.finish();
  await removeFolders(entry.madeFolders, journal);
  const paths = pathsFromRoot(
    entry.changes.map(({ path }) => path),
    access,
  );
  const edit = { id, instruction, undoneBy: transaction.entry.id, paths, merged: pathsFromRoot(merged, access) };
  return { kind: "undone", edit };
}

function newestInForce(heads: readonly ListedEntry[]): number | undefined {
  const takenBack = takenBackIn(heads);
  return heads.find(({ id, undoes, isLeft }) => undoes === undefined && !isLeft && !takenBack.has(id))?.id;
}

/** The entries that others took back, of those that were not taken back themselves; `heads` from the newest on. */
function takenBackIn(heads: readonly ListedEntry[]): ReadonlySet<number> {
  const takenBack = new Set<number>();
  for (const { id, undoes, isLeft } of heads) {
    if (undoes !== undefined && !isLeft && !takenBack.has(id)) takenBack.add(undoes);
  }
  return takenBack;
}
