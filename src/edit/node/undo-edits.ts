import type { EditDisk } from "./edit-disk.ts";
import { EditJournal, type JournalOptions, type ListedEntry } from "./edit-journal.ts";
import { FileTransaction, removeFolders } from "./file-transaction.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { isSameState, statesAt } from "./path-state.ts";
import { reverseChanges } from "./reverse-changes.ts";
import { type JournalAccess, realRootOf, type WriteOptions } from "./with-journal.ts";
import { type NotWritten, pathsFromRoot, writing } from "./write-workspace-edit.ts";

/** Which edits to revert: the last ones in force, or one by its number. */
export type EditsToUndo = { readonly steps: number } | { readonly id: number };

/** The result of reverting edits. */
export interface UndoOutcome {
  /** The edits that were reverted, in this order. */
  readonly undone: readonly UndoneEdit[];
  /** Why no further edit was reverted. */
  readonly stopped?: UndoStop;
}

/** An edit that was reverted. Paths are from the workspace's root. */
export interface UndoneEdit {
  readonly id: number;
  readonly instruction: string;
  /** The number of the entry that reverted it; undoing that entry restores the edit. */
  readonly undoneBy: number;
  readonly paths: readonly string[];
  /** The paths that were changed in other lines since; those changes stay. */
  readonly merged: readonly string[];
}

/** Why an edit is not reverted. None of its files is touched then. */
export type UndoStop =
  /** The journal of this workspace has no further edit in force. */
  | { readonly kind: "nothing-left" }
  /** The journal has no readable entry with this number. */
  | { readonly kind: "unknown-id"; readonly id: number; readonly older?: readonly OlderEdit[] }
  /**
   * All its files are already as they were before it, or before an older edit, as after `git
   * checkout`.
   */
  | {
      readonly kind: "undone-already";
      readonly id: number;
      readonly files: readonly string[];
      readonly older?: readonly OlderEdit[];
    }
  /** These files were changed since in the same lines, or exist or are gone unexpectedly. */
  | {
      readonly kind: "moved-on";
      readonly id: number;
      readonly paths: readonly string[];
      /** The lines that were changed since, by the path; from 1, both included. */
      readonly lines?: Readonly<Record<string, { readonly first: number; readonly last: number }>>;
      readonly older?: readonly OlderEdit[];
    }
  /** These files have hard links now, which would keep the text of the edit. */
  | {
      readonly kind: "hard-link";
      readonly id: number;
      readonly paths: readonly string[];
      readonly older?: readonly OlderEdit[];
    }
  | Extract<NotWritten, { readonly kind: "busy" | "failed" }>;

/**
 * An edit that can be reverted by its number, such as an older one where a newer one cannot be.
 * Paths are from the workspace's root.
 */
export type OlderEdit = Pick<UndoneEdit, "id" | "instruction" | "paths">;

/**
 * Reverts edits that were written to the workspace at the absolute path `root`, byte for byte, and
 * stops at the first that cannot be; those before it stay reverted.
 *
 * Later changes stay if they are in other lines; otherwise the edit is not reverted at all. Each
 * reversal is a journal entry of its own, which can be undone by its number. Where the newest edit
 * cannot be reverted, the older ones that can are listed. An error of the disk gives `failed`;
 * rejects with the signal's reason on abort.
 */
export async function undoEdits(root: string, which: EditsToUndo, options: WriteOptions): Promise<UndoOutcome> {
  const undone: UndoneEdit[] = [];
  const steps = "id" in which ? 1 : which.steps;
  for (let step = 0; step < steps; step += 1) {
    const answer = await writing(root, options, async (access) => {
      if ("id" in which) return undoOne(which.id, access, options);
      const [newest, ...others] = inForce(await access.journal.list());
      if (newest === undefined) return { kind: "nothing-left" } as const;
      const one = await undoOne(newest, access, options);
      const isStopped = one.kind !== "undone" && one.kind !== "nothing-left" && "id" in one;
      return isStopped ? { ...one, older: await thoseToUndo(others, access) } : one;
    });
    if (answer.kind !== "undone") return { undone, stopped: answer };
    undone.push(answer.edit);
  }
  return { undone };
}

/**
 * The newest edit in force of the workspace at the absolute path `root` that still has an effect on
 * its files; `undefined` where there is none. Another program, or the user, may have changed its
 * files since in the same lines. Rejects as {@link listJournal} does.
 */
export async function editToUndo(root: string, options: JournalOptions): Promise<OlderEdit | undefined> {
  const realRoot = await realRootOf(root, options.disk);
  const journal = new EditJournal(realRoot, options);
  for (const id of inForce(await journal.list())) {
    const entry = await journal.tryLoad(id);
    if (entry === undefined || entry.root !== realRoot) continue;
    const { puts, conflicts } = await reverseChanges(entry.changes, journal.disk);
    const isReset = conflicts.length === 0 ? puts.length === 0 : await isAsBefore(entry, { journal });
    if (isReset) continue;
    const paths = entry.changes.map(({ path }) => path);
    return { id, instruction: entry.instruction, paths: pathsFromRoot(paths, { realRoot }) };
  }
  return undefined;
}

/** A journal entry for listing. Paths are absolute. */
export interface JournalRecord {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly writtenAtMs: number;
  readonly instruction: string;
  /** The number of the entry that this one reverted. */
  readonly undoes?: number;
  /** Whether the entry itself was reverted. */
  readonly isUndone: boolean;
  /**
   * Whether the edit never came into force: it was reverted at once, except for files that had been
   * changed elsewhere.
   */
  readonly isLeft: boolean;
  readonly changes: readonly { readonly path: string; readonly kind: "created" | "changed" | "removed" }[];
}

/**
 * Lists the entries in the journal of the workspace at the absolute path `root`, newest first;
 * unreadable ones are left out. Rejects with `EmendError` code `file-missing` where there is no
 * workspace at `root`, and with the disk's error where the journal cannot be read.
 */
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
  const { puts, merged, conflicts, conflictLines } = await reverseChanges(entry.changes, journal.disk);
  const { instruction } = entry;
  const paths = pathsFromRoot(
    entry.changes.map(({ path }) => path),
    access,
  );
  const isReset = conflicts.length === 0 ? puts.length === 0 : await isAsBefore(entry, access);
  if (isReset) return { kind: "undone-already", id, files: paths };
  if (conflicts.length > 0) {
    const spans = [...conflictLines].map(
      ([path, { start, end }]) => [pathsFromRoot([path], access)[0]!, { first: start + 1, last: end }] as const,
    );
    return {
      kind: "moved-on",
      id,
      paths: pathsFromRoot(conflicts, access),
      ...(spans.length > 0 && { lines: Object.fromEntries(spans) }),
    };
  }
  const linked = await withOtherNames(puts, journal.disk);
  if (linked.length > 0) return { kind: "hard-link", id, paths: pathsFromRoot(linked, access) };
  const transaction = await FileTransaction.begin(
    puts.map(({ path, now, state }) => ({ path, before: now, after: state })),
    { root: realRoot, instruction, isTrial: false, undoes: id },
    journal,
  );
  const applied = await transaction.apply(options);
  if (applied.kind === "stale") return { kind: "moved-on", id, paths: pathsFromRoot(applied.paths, access) };
  await transaction.finish();
  await removeFolders(entry.madeFolders, journal);
  const edit = { id, instruction, undoneBy: transaction.entry.id, paths, merged: pathsFromRoot(merged, access) };
  return { kind: "undone", edit };
}

/** The paths of changed files that have hard links, which replacing the file would separate. */
async function withOtherNames(
  puts: Awaited<ReturnType<typeof reverseChanges>>["puts"],
  disk: EditDisk,
): Promise<readonly string[]> {
  const linked: string[] = [];
  for (const { path, now, state } of puts) {
    if (now.kind === "file" && state.kind === "file" && (await disk.lstat(path)).nlink > 1) linked.push(path);
  }
  return linked;
}

/**
 * Whether all files of an edit are as they were before it, or before an older journal entry that
 * changed them.
 */
async function isAsBefore(
  { id, changes }: JournalEntry,
  { journal }: Pick<JournalAccess, "journal">,
): Promise<boolean> {
  const paths = changes.map(({ path }) => path);
  const states = await statesAt(paths, journal.disk);
  const open = new Set(paths.filter((_, at) => !isSameState(states[at]!, changes[at]!.before)));
  for (const head of await journal.list()) {
    if (open.size === 0) return true;
    if (head.id >= id || !head.changes.some(({ path }) => open.has(path))) continue;
    for (const { path, before } of (await journal.tryLoad(head.id))?.changes ?? [])
      if (open.has(path) && isSameState(states[paths.indexOf(path)]!, before)) open.delete(path);
  }
  return open.size === 0;
}

/** The edits among these that can be reverted now, in their order. */
async function thoseToUndo(ids: readonly number[], access: JournalAccess): Promise<readonly OlderEdit[]> {
  const { journal, realRoot } = access;
  const able: OlderEdit[] = [];
  for (const id of ids) {
    const entry = await journal.tryLoad(id);
    if (entry === undefined || entry.root !== realRoot) continue;
    const { puts, conflicts } = await reverseChanges(entry.changes, journal.disk);
    if (puts.length === 0 || conflicts.length > 0) continue;
    if ((await withOtherNames(puts, journal.disk)).length > 0) continue;
    const paths = entry.changes.map(({ path }) => path);
    able.push({ id, instruction: entry.instruction, paths: pathsFromRoot(paths, access) });
  }
  return able;
}

/** The numbers of the edits in force according to the journal, newest first. */
export function inForce(heads: readonly ListedEntry[]): readonly number[] {
  const takenBack = takenBackIn(heads);
  return heads
    .filter(({ id, undoes, isLeft }) => undoes === undefined && !isLeft && !takenBack.has(id))
    .map(({ id }) => id);
}

/**
 * The numbers of entries that were reverted by entries in force; `heads` are sorted newest first.
 */
function takenBackIn(heads: readonly ListedEntry[]): ReadonlySet<number> {
  const takenBack = new Set<number>();
  for (const { id, undoes, isLeft } of heads) {
    if (undoes !== undefined && !isLeft && !takenBack.has(id)) takenBack.add(undoes);
  }
  return takenBack;
}
