import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { EmendError } from "../../text/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";
import { type EditDisk, isMissing, systemDisk } from "./edit-disk.ts";
import {
  type JournalEntry,
  type JournalHead,
  prologueBytes,
  tryHeadBytes,
  tryReadEntry,
  tryReadHead,
  writeEntry,
} from "./journal-entry.ts";
import { syncFolder } from "./path-state.ts";

/** Where the journals of all workspaces are kept, and their limits. */
export interface JournalOptions {
  /** An absolute path outside of every workspace; created, for its owner only, if missing. */
  readonly folder: string;
  /** The most entries of one workspace; 50 by default. */
  readonly maxEntries?: number;
  /**
   * The most bytes on disk of one workspace's entries; 200 MB by default. The newest entry is
   * always kept.
   */
  readonly maxBytes?: number;
  readonly disk?: EditDisk;
}

/**
 * The file name endings of entries: an unfinished change; a finished one; one that was reverted
 * except for files that had been changed elsewhere meanwhile; an unreadable entry.
 */
const endings = { pending: ".pending", finished: ".entry", left: ".left", broken: ".broken" } as const;

/** A change that was begun and not finished. */
export interface UnfinishedEntry {
  readonly entry: JournalEntry;
  /** Whether all of its files are known to have been written. */
  readonly isApplied: boolean;
}

/** An entry as it is listed. */
export interface ListedEntry extends JournalHead {
  /**
   * Whether the change is not in force: it was reverted, except for files that had been changed
   * elsewhere meanwhile.
   */
  readonly isLeft: boolean;
}

/** Journals of workspaces without a write for this long are removed: 90 days. */
const forgottenAfterMs = 90 * 24 * 3_600_000;

/** The ending of an entry that is being written. */
const temporaryEnding = ".tmp";

/** The ending of an empty marker file beside an unfinished change whose files are all written. */
const appliedEnding = ".applied";

/**
 * The latest changes written to one workspace, in a folder in the user's state folder.
 *
 * A change is recorded before its first file is touched, and marked as finished by its file name
 * after its last one, so that the next process finds what a killed one left. Writers must hold the
 * workspace's lock. Methods reject with the disk's error, unless their description names another
 * one.
 */
export class EditJournal {
  /** The absolute path of this workspace's journal folder. */
  readonly folder: string;
  readonly disk: EditDisk;
  readonly #maxEntries: number;
  readonly #maxBytes: number;

  /**
   * Opens the journal of the workspace at the absolute path `realRoot`, with links resolved.
   * Nothing is read or created yet.
   */
  constructor(
    realRoot: string,
    { folder, maxEntries = 50, maxBytes = 200_000_000, disk = systemDisk }: JournalOptions,
  ) {
    this.folder = join(folder, createHash("sha256").update(realRoot).digest("hex").slice(0, 32));
    this.disk = disk;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** Makes the folder where it is missing. Rejects with `EmendError` code `journal-failed`. */
  makeFolder(): Promise<void> {
    return makeFolder(this.folder, { mode: 0o700 }).catch(this.#reject);
  }

  /**
   * Lists the entries kept by {@link finish} and {@link leave}, without file contents, newest
   * first. Unreadable entries are left out.
   */
  async list(): Promise<readonly ListedEntry[]> {
    const listed: ListedEntry[] = [];
    for (const state of ["finished", "left"] as const) {
      for (const id of await this.#ids(state)) {
        const head = await this.#tryHead(id, state);
        if (head !== undefined) listed.push({ ...head, isLeft: state === "left" });
      }
    }
    return listed.sort((one, other) => other.id - one.id);
  }

  /** Loads a listed entry by its number; `undefined` where it is gone or unreadable. */
  async tryLoad(id: number): Promise<JournalEntry | undefined> {
    for (const state of ["finished", "left"] as const) {
      if ((await this.#ids(state)).includes(id)) return tryReadEntry(await this.#read(id, state));
    }
    return undefined;
  }

  /**
   * Whether a change was begun and not finished, by a running process or a dead one; `false` where
   * there is no journal. Rejects with the disk's error where the folder of the journal cannot be
   * read.
   */
  async hasUnfinished(): Promise<boolean> {
    const left = await Promise.all([this.#names(endings.pending), this.#names(temporaryEnding)]);
    return left.flat().length > 0;
  }

  /**
   * Loads the unfinished changes, newest first. Unreadable ones are set aside as broken, and
   * incompletely written ones removed. Rejects with the disk's error where that fails; empty where
   * there is no journal.
   */
  async unfinished(): Promise<readonly UnfinishedEntry[]> {
    const entries: UnfinishedEntry[] = [];
    const applied = await this.#names(appliedEnding);
    for (const name of await this.#names(temporaryEnding)) await this.disk.unlink(join(this.folder, name));
    for (const id of await this.#ids("pending")) {
      const entry = await tryReadEntry(await this.#read(id, "pending"));
      if (entry !== undefined) entries.unshift({ entry, isApplied: applied.includes(fileName(id, appliedEnding)) });
      else await this.disk.rename(this.#path(id, "pending"), this.#path(id, "broken"));
    }
    return entries;
  }

  /** Returns the number for the next change: one more than the highest in the journal, from 1. */
  async nextId(): Promise<number> {
    const ids = await Promise.all(states.map((state) => this.#ids(state)));
    return Math.max(0, ...ids.flat()) + 1;
  }

  /**
   * Records a change before it begins, and syncs it to disk. Rejects with `EmendError` code
   * `journal-failed`.
   */
  async begin(entry: JournalEntry): Promise<void> {
    // A killed process may have left the marker of another entry with this number.
    await this.#unmark(entry.id);
    await this.#write(entry, "pending");
  }

  /**
   * Records a change that something else has made, or replaces its finished entry. Removes old
   * entries as {@link finish} does. Rejects with `EmendError` code `journal-failed`.
   */
  async record(entry: JournalEntry): Promise<void> {
    await this.#write(entry, "finished");
    await this.#forget(entry.id);
  }

  async #write(entry: JournalEntry, state: EntryState): Promise<void> {
    const path = this.#path(entry.id, state);
    const temporary = path + temporaryEnding;
    const bytes = await writeEntry(entry);
    try {
      const handle = await this.disk.open(temporary, "w", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await this.disk.rename(temporary, path);
    } catch (cause) {
      await this.disk.unlink(temporary).catch(() => undefined);
      this.#reject(cause);
    }
    await syncFolder(this.folder, this.disk);
  }

  readonly #reject = (cause: unknown): never => {
    const message = `The journal of edits cannot be written in ${this.folder}, and nothing is changed without it`;
    throw new EmendError("journal-failed", message, { cause });
  };

  /** Records that all files of an unfinished change are written. */
  async markApplied(id: number): Promise<void> {
    await (await this.disk.open(this.#mark(id), "w", 0o600)).close();
  }

  /**
   * Marks an unfinished change as finished, and removes the oldest entries beyond the limits, and
   * the journals of workspaces without a write for 90 days.
   */
  finish(id: number): Promise<void> {
    return this.#keep(id, "finished");
  }

  /**
   * Keeps a change that was reverted except for files that had been changed elsewhere meanwhile.
   * Removes old entries as {@link finish} does.
   */
  leave(id: number): Promise<void> {
    return this.#keep(id, "left");
  }

  /** Removes an unfinished change that was reverted. */
  async drop(id: number): Promise<void> {
    await this.disk.unlink(this.#path(id, "pending"));
    await this.#unmark(id);
  }

  async #keep(id: number, state: "finished" | "left"): Promise<void> {
    await this.disk.rename(this.#path(id, "pending"), this.#path(id, state));
    await this.#unmark(id);
    await syncFolder(this.folder, this.disk);
    await this.#forget(id);
  }

  /** The change itself is done, so failing to remove old entries is no error. */
  async #forget(newest: number): Promise<void> {
    await this.#makeRoom(newest).catch(() => undefined);
    await this.#forgetOthers().catch(() => undefined);
  }

  async #makeRoom(newest: number): Promise<void> {
    const kept: (readonly [id: number, state: EntryState])[] = [];
    for (const state of lasting) kept.push(...(await this.#ids(state)).map((id) => [id, state] as const));
    let bytes = 0;
    for (const [index, [id, state]] of kept.sort(([one], [other]) => other - one).entries()) {
      const path = this.#path(id, state);
      bytes += (await this.disk.stat(path)).size;
      if (id !== newest && (index >= this.#maxEntries || bytes > this.#maxBytes)) await this.disk.unlink(path);
    }
  }

  /**
   * Removes the journals of workspaces without a write for a long time, except those with
   * unfinished changes.
   */
  async #forgetOthers(): Promise<void> {
    const all = dirname(this.folder);
    for (const name of await this.disk.readdir(all)) {
      const folder = join(all, name);
      // The modification time of a folder is that of its last added or removed entry.
      if (Date.now() - (await this.disk.stat(folder)).mtimeMs < forgottenAfterMs) continue;
      const files = await this.disk.readdir(folder);
      if (files.some((file) => !lasting.some((state) => file.endsWith(endings[state])))) continue;
      for (const file of files) await this.disk.unlink(join(folder, file));
      await this.disk.rmdir(folder);
    }
  }

  /** The numbers of the entries in one state, ascending. */
  async #ids(state: EntryState): Promise<readonly number[]> {
    const names = await this.#names(endings[state]);
    return names.map((name) => Number.parseInt(name, 10)).sort((one, other) => one - other);
  }

  async #names(ending: string): Promise<readonly string[]> {
    try {
      return (await this.disk.readdir(this.folder)).filter((name) => name.endsWith(ending));
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Reads the head of an entry without the rest of its file. */
  async #tryHead(id: number, state: EntryState): Promise<JournalHead | undefined> {
    const handle = await this.disk.open(this.#path(id, state), "r");
    try {
      const prologue = Buffer.alloc(prologueBytes);
      await handle.read(prologue, 0, prologueBytes, 0);
      const length = tryHeadBytes(prologue);
      if (length === undefined || length > (await handle.stat()).size) return undefined;
      const head = Buffer.alloc(length);
      await handle.read(head, 0, length, 0);
      return tryReadHead(head);
    } finally {
      await handle.close();
    }
  }

  #read(id: number, state: EntryState): Promise<Buffer> {
    return this.disk.readFile(this.#path(id, state));
  }

  #path(id: number, state: EntryState): string {
    return join(this.folder, fileName(id, endings[state]));
  }

  #mark(id: number): string {
    return join(this.folder, fileName(id, appliedEnding));
  }

  async #unmark(id: number): Promise<void> {
    await this.disk.unlink(this.#mark(id)).catch(() => undefined);
  }
}

function fileName(id: number, ending: string): string {
  return String(id).padStart(8, "0") + ending;
}

type EntryState = keyof typeof endings;

const states = Object.keys(endings) as readonly EntryState[];

/** The states in which an entry is kept until there is no room for it. */
const lasting = ["finished", "left", "broken"] as const;
