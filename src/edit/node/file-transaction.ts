import { randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { toPortablePath } from "../../codebase/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { isMissing, systemCode } from "./edit-disk.ts";
import type { EditJournal } from "./edit-journal.ts";
import { kindAt } from "./edit-place.ts";
import type { JournalEntry, PathChange } from "./journal-entry.ts";
import { isSameState, type PutState, placeStaged, stageState, stateAt, statesAt, syncFolder } from "./path-state.ts";
import { reverseChanges } from "./reverse-changes.ts";

/** A change of one path that is to be made. */
export type PlannedChange = Omit<PathChange, "temporary">;

/** What the journal is told of a change. */
export type ChangeDescription = Pick<JournalEntry, "root" | "instruction" | "isTrial" | "undoes">;

/** What became of changes: all of them are on the disk, or none is, since these paths have changed since they were planned. */
export type TransactionAnswer =
  | { readonly kind: "applied" }
  | { readonly kind: "stale"; readonly paths: readonly string[] };

/** What became of changes that were taken back. */
export interface Restored {
  /** The paths that somebody else changed meanwhile in other lines, which stay changed. */
  readonly merged: readonly string[];
  /** The paths that somebody else changed meanwhile in the same lines. They are left as they are. */
  readonly conflicts: readonly string[];
}

/**
 * Changes of several files as one: all of them, or none.
 *
 * Each new content is prepared in a file beside its target, all of it is written down in the journal, and only then is
 * one file after the other moved into place, each right after a look whether it is still what was planned for. What goes
 * wrong on the way is taken back. If the process dies, the journal tells the next one, see {@link restoreEntry}. Whoever
 * uses it holds the workspace's lock from `begin` to `finish` or `restore`.
 */
export class FileTransaction {
  readonly entry: JournalEntry;
  readonly #journal: EditJournal;
  /** The changes that were made, and the one that failed, which may have been. */
  readonly #made = new Set<PathChange>();

  private constructor(entry: JournalEntry, journal: EditJournal) {
    this.entry = entry;
    this.#journal = journal;
  }

  /** Writes down what is about to happen. `changes` are of distinct paths, and each of them changes something. */
  static async begin(
    changes: readonly PlannedChange[],
    description: ChangeDescription,
    journal: EditJournal,
  ): Promise<FileTransaction> {
    // What goes away goes first: it may make room for a name that differs by case only.
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
   * Makes the changes. Where it answers `stale`, and where it rejects, all is as it was before; the signal is heard until
   * the first file is moved. Rejects with the disk's own error, or the signal's reason.
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

  /** Keeps the changes, as an entry of the journal. Where it rejects, all is as it was before. */
  async finish(): Promise<void> {
    try {
      await this.#journal.finish(this.entry.id);
    } catch (error) {
      await this.#giveUp(error);
    }
  }

  /** Takes back what was done of the changes. */
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
 * Takes back what was done of an entry that is not finished, and what was prepared for it; the journal forgets it. `made`
 * are the changes of it that were made, where their files do not say otherwise; of the paths in `unsure` nobody knows.
 *
 * Those, and files that somebody else changed meanwhile in the same lines, are left alone; then the entry stays in the journal, so
 * that what stood in them is not lost. May be called again after a failure in the middle.
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
      // A folder that the change emptied may be gone.
      await disk.mkdir(dirname(put.path), { recursive: true });
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

/** Removes what was prepared for a change and is still there. */
export async function removePrepared({ changes }: JournalEntry, journal: EditJournal): Promise<void> {
  for (const { temporary } of changes) await remove(temporary, journal);
}

/** Whether an error means that files are left half changed, until the next run takes that back. */
export function isUnfinished(error: unknown): boolean {
  return error instanceof EmendError && error.code === "edit-unfinished";
}

/** Removes those of the folders that are empty, the innermost first. */
export async function removeFolders(folders: readonly string[], { disk }: EditJournal): Promise<void> {
  for (const folder of [...folders].reverse()) await disk.rmdir(folder).catch(() => undefined);
}

/** Puts a state where another one is; `false` if something else is there. */
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
    // Somebody was there in between.
    if (now.kind === "nothing" && systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The folders that have to be made for the changes, a folder before those in it. */
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

/** Has the names of the changed files written to the disk. */
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
