import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { EmendError } from "../../text/index.ts";
import { makeFolder, toPortablePath } from "../../workspace/node/index.ts";
import { isMissing, systemCode } from "./edit-disk.ts";
import type { EditJournal } from "./edit-journal.ts";
import { kindAt } from "./edit-place.ts";
import type { JournalEntry, PathChange } from "./journal-entry.ts";
import { isSameState, type PutState, placeStaged, stageState, stateAt, statesAt, syncFolder } from "./path-state.ts";
import { reverseChanges } from "./reverse-changes.ts";

/** A planned change of one path. */
export type PlannedChange = Omit<PathChange, "temporary">;

/** The description of a change that the journal records. */
export type ChangeDescription = Pick<JournalEntry, "root" | "instruction" | "isTrial" | "undoes">;

/**
 * The result of applying changes: all of them are on disk, or none, because these paths changed
 * since the changes were planned.
 */
export type TransactionAnswer =
  | { readonly kind: "applied" }
  | { readonly kind: "stale"; readonly paths: readonly string[] };

/** The result of reverting changes. */
export interface Restored {
  /** Paths that were changed meanwhile in other lines, which keep those changes. */
  readonly merged: readonly string[];
  /** Paths that were changed meanwhile in the same lines. They are left as they are. */
  readonly conflicts: readonly string[];
}

/**
 * Applies changes of several files as one: all of them, or none.
 *
 * Each new content is staged in a file beside its target, everything is recorded in the journal,
 * and then the files are moved into place one by one, each after a check that its target is still
 * as planned. A failure reverts everything. If the process dies, the next one finds the journal
 * entry, see {@link restoreEntry}. The caller holds the workspace's lock from `begin` to `finish`
 * or `restore`.
 */
export class FileTransaction {
  readonly entry: JournalEntry;
  readonly #journal: EditJournal;
  /** The changes that were applied, and the one that failed, which may have been. */
  readonly #made = new Set<PathChange>();

  private constructor(entry: JournalEntry, journal: EditJournal) {
    this.entry = entry;
    this.#journal = journal;
  }

  /**
   * Records the changes in the journal. `changes` have distinct paths, and each of them changes
   * something. No file of the workspace is touched.
   *
   * Rejects with `EmendError` code `journal-failed` where the journal cannot be written, and with
   * the disk's error where it or the folders of the changes cannot be read.
   */
  static async begin(
    changes: readonly PlannedChange[],
    description: ChangeDescription,
    journal: EditJournal,
  ): Promise<FileTransaction> {
    // Removals come first: they may make room for a name that differs only in case.
    const sorted = [...changes].sort((one, other) => weightOf(one) - weightOf(other));
    const id = await journal.nextId();
    const tag = randomUUID().slice(0, 8);
    const entry: JournalEntry = {
      id,
      ...description,
      writtenAtMs: Date.now(),
      changes: sorted.map((change, i) => ({ ...change, temporary: besides(change.path, `.emend-${tag}-${i}.tmp`) })),
      madeFolders: await missingFolders(sorted, journal),
    };
    await journal.begin(entry);
    return new FileTransaction(entry, journal);
  }

  /**
   * Applies the changes. The signal is honoured until the first file is moved.
   *
   * When it returns `stale`, or rejects with the disk's error or the signal's reason, everything is
   * as it was before. Rejects with {@link EmendError} code `edit-unfinished` where that cannot be
   * restored; the next `withJournal` repairs it.
   */
  async apply({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<TransactionAnswer> {
    const { disk } = this.#journal;
    try {
      for (const folder of this.entry.madeFolders) await disk.mkdir(folder);
      for (const { path, after, temporary } of this.entry.changes) {
        signal?.throwIfAborted();
        if (after.kind !== "nothing") await stageState(temporary, path, after, disk);
      }
      const stale = await this.#stale();
      signal?.throwIfAborted();
      if (stale.length > 0) {
        await this.restore();
        return { kind: "stale", paths: stale };
      }
      for (const change of this.entry.changes) {
        this.#made.add(change);
        if (await tryPut({ ...change, now: change.before, state: change.after }, this.#journal)) continue;
        this.#made.delete(change);
        await this.restore();
        return { kind: "stale", paths: [change.path] };
      }
      await syncFolders(this.entry, this.#journal);
      if (this.entry.isTrial) await this.#journal.markApplied(this.entry.id);
    } catch (error) {
      return this.#giveUp(error);
    }
    return { kind: "applied" };
  }

  /**
   * Finishes the journal entry. When it rejects with the disk's error, everything is as it was
   * before. Rejects with {@link EmendError} code `edit-unfinished` where that cannot be restored.
   */
  async finish(): Promise<void> {
    try {
      await this.#journal.finish(this.entry.id);
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  /** Reverts the changes that were applied. Rejects as {@link restoreEntry} does. */
  restore(): Promise<Restored> {
    return restoreEntry(this.entry, this.#journal, { made: [...this.#made], unsure: [] });
  }

  async #giveUp(error: unknown): Promise<never> {
    try {
      await this.restore();
    } catch (cause) {
      if (systemCode(cause) === "") throw cause;
      const message = "An edit could be neither finished nor taken back; the next run takes it back";
      throw new EmendError("edit-unfinished", message, { cause: error });
    }
    throw error;
  }

  async #stale(): Promise<readonly string[]> {
    const { changes } = this.entry;
    const paths = changes.map(({ path }) => path);
    const states = await statesAt(paths, this.#journal.disk);
    return paths.filter((_, i) => !isSameState(states[i]!, changes[i]!.before));
  }
}

/**
 * Reverts an unfinished entry, removes its staged files, and drops it from the journal.
 *
 * `made` are its changes that were applied, unless the files show otherwise; of the paths in
 * `unsure` that is unknown. Those, and files changed meanwhile in the same lines, are left alone,
 * and the entry is kept so that their old contents are not lost.
 *
 * Rejects with the disk's error; then a part may be reverted, and the entry stays in the journal.
 * Safe to call again after a failure.
 */
export async function restoreEntry(
  entry: JournalEntry,
  journal: EditJournal,
  { made, unsure }: { readonly made: readonly PathChange[]; readonly unsure: readonly string[] },
): Promise<Restored> {
  const { disk } = journal;
  await removePrepared(entry, journal);
  const { puts, merged, conflicts } = await reverseChanges(made, disk);
  const unlucky: string[] = [];
  for (const put of [...puts].sort((one, other) => weightOf(one) - weightOf(other))) {
    const { temporary } = made.find(({ path }) => path === put.path)!;
    if (put.state.kind !== "nothing") {
      // The folder of a removed file may be gone.
      await makeFolder(dirname(put.path), { disk });
      await stageState(temporary, put.path, put.state, disk);
    }
    if (await tryPut({ ...put, temporary }, journal)) continue;
    unlucky.push(put.path);
    await remove(temporary, journal);
  }
  await removeFolders(entry.madeFolders, journal);
  await syncFolders(entry, journal);
  const left = [...unsure, ...conflicts, ...unlucky];
  if (left.length > 0) await journal.leave(entry.id);
  else await journal.drop(entry.id);
  return { merged: merged.filter((path) => !unlucky.includes(path)), conflicts: left };
}

/**
 * Removes the staged files of a change that still exist. Rejects with the disk's error; the files
 * after the one that failed then remain.
 */
export async function removePrepared({ changes }: JournalEntry, journal: EditJournal): Promise<void> {
  for (const { temporary } of changes) await remove(temporary, journal);
}

/**
 * Whether an error is an `EmendError` with code `edit-unfinished`: files are partly changed until
 * the next run reverts that.
 */
export function isUnfinished(error: unknown): boolean {
  return error instanceof EmendError && error.code === "edit-unfinished";
}

/**
 * Removes those of the folders that are empty, innermost first; `folders` has parents first. Errors
 * of the disk are ignored.
 */
export async function removeFolders(folders: readonly string[], { disk }: EditJournal): Promise<void> {
  for (const folder of [...folders].reverse()) await disk.rmdir(folder).catch(() => undefined);
}

/** Replaces the state `now` of a path by `state`; `false` if the path has another state. */
async function tryPut(
  { path, now, state, temporary }: { path: string; now: PutState; state: PutState; temporary: string },
  { disk }: EditJournal,
): Promise<boolean> {
  if (!isSameState(await stateAt(path, disk), now)) return false;
  try {
    if (state.kind === "nothing") await disk.unlink(path);
    else await placeStaged(temporary, path, { isNew: now.kind === "nothing", disk });
    return true;
  } catch (error) {
    // Another process created the file in between.
    if (now.kind === "nothing" && systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The folders that the changes need and that do not exist, parents first. */
async function missingFolders(changes: readonly PlannedChange[], { disk }: EditJournal): Promise<readonly string[]> {
  const missing = new Set<string>();
  for (const { path, after } of changes) {
    if (after.kind === "nothing") continue;
    const above: string[] = [];
    for (let folder = toPortablePath(dirname(path)); ; folder = toPortablePath(dirname(folder))) {
      if (missing.has(folder) || (await kindAt(folder, disk)) !== "nothing") break;
      above.unshift(folder);
    }
    for (const folder of above) missing.add(folder);
  }
  return [...missing];
}

/** Syncs the folder entries of the changed files to disk. */
async function syncFolders({ changes, madeFolders }: JournalEntry, { disk }: EditJournal): Promise<void> {
  const folders = new Set([...changes.map(({ path }) => path), ...madeFolders].map((path) => dirname(path)));
  for (const folder of folders) await syncFolder(folder, disk);
}

async function remove(path: string, { disk }: EditJournal): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function weightOf(change: { readonly after: PutState } | { readonly state: PutState }): number {
  const state = "after" in change ? change.after : change.state;
  return state.kind === "nothing" ? 0 : 1;
}

function besides(path: string, name: string): string {
  return toPortablePath(join(dirname(path), name));
}
