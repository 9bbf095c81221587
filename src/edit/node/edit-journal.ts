import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { EmendError } from "../../text/index.ts";
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

/** Where the journals of all workspaces are kept, and how much of them. */
export interface JournalOptions {
  /** An absolute path; made when it is missing, for its owner only. Outside of every workspace. */
  readonly folder: string;
  /** The most entries of one workspace; 50 unless told. */
  readonly maxEntries?: number;
  /** The most bytes on the disk of one workspace's entries; 200 MB unless told. The newest entry stays in any case. */
  readonly maxBytes?: number;
  readonly disk?: EditDisk;
}

/**
 * How the journal ends the name of a change that is not finished, of one that is, of one that was taken back but for files
 * which somebody else had changed, and of a file that cannot be read.
 */
const endings = { pending: ".pending", finished: ".entry", left: ".left", broken: ".broken" } as const;

/** A change that was begun and not finished. */
export interface UnfinishedEntry {
  readonly entry: JournalEntry;
  /** Whether all of it is known to have been made. */
  readonly isApplied: boolean;
}

/** An entry of the journal as it is listed. */
export interface ListedEntry extends JournalHead {
  /** Whether it is not in force: it was taken back but for files which somebody else had changed. */
  readonly isLeft: boolean;
}

/** The journal of a workspace that was not written to for so long is removed: 90 days. */
const forgottenAfterMs = 90 * 24 * 3_600_000;

/** How the name of an entry ends that is being written down. */
const temporaryEnding = ".tmp";

/** How the name of an empty file ends that stands beside a pending change all of which is made. */
const appliedEnding = ".applied";

/**
 * The changes that were written to one workspace, the last ones, in a folder of the user's.
 *
 * A change is written down before the first file is touched, and marked as finished by its name after the last one. So
 * what a killed process left is known to the next one. Who writes holds the workspace's lock.
 */
export class EditJournal {
  /** The absolute path of the folder of this workspace's journal. */
  readonly folder: string;
  readonly disk: EditDisk;
  readonly #maxEntries: number;
  readonly #maxBytes: number;

  /** The journal of the workspace at the absolute path `realRoot`, links resolved. */
  constructor(
    realRoot: string,
    { folder, maxEntries = 50, maxBytes = 200_000_000, disk = systemDisk }: JournalOptions,
  ) {
    this.folder = join(folder, createHash("sha256").update(realRoot).digest("hex").slice(0, 32));
    this.disk = disk;
    this.#maxEntries = maxEntries;
    this.#maxBytes = maxBytes;
  }

  /** What {@link finish} and {@link leave} kept, without contents, the newest first. What cannot be read is left out. */
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

  /** The entry of this number, of those that are listed; `undefined` where there is none any more. */
  async tryLoad(id: number): Promise<JournalEntry | undefined> {
    for (const state of ["finished", "left"] as const) {
      if ((await this.#ids(state)).includes(id)) return tryReadEntry(await this.#read(id, state));
    }
    return undefined;
  }

  /** Whether a change was begun and not finished: by a process that is at it, or one that is gone. */
  async hasUnfinished(): Promise<boolean> {
    const left = await Promise.all([this.#names(endings.pending), this.#names(temporaryEnding)]);
    return left.flat().length > 0;
  }

  /**
   * The changes that were begun and not finished, the newest first. Those that cannot be read are put aside, and what was
   * not even written down is removed.
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

  /** The number for the next change. */
  async nextId(): Promise<number> {
    const ids = await Promise.all(states.map((state) => this.#ids(state)));
    return Math.max(0, ...ids.flat()) + 1;
  }

  /** Writes down a change that is about to begin, through to the disk. */
  async begin(entry: JournalEntry): Promise<void> {
    const path = this.#path(entry.id, "pending");
    const temporary = path + temporaryEnding;
    const bytes = await writeEntry(entry);
    // A process that was killed may have left the mark of another entry of this number.
    await this.#unmark(entry.id);
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
      const message = `The journal of edits cannot be written in ${this.folder}, and nothing is changed without it`;
      throw new EmendError("journal-failed", message, { cause });
    }
    await syncFolder(this.folder, this.disk);
  }

  /** Writes down that all of a change is made, although it is not finished. */
  async markApplied(id: number): Promise<void> {
    await (await this.disk.open(this.#mark(id), "w", 0o600)).close();
  }

  /** Marks a change as finished, and drops the oldest ones beyond the limits. */
  finish(id: number): Promise<void> {
    return this.#keep(id, "finished");
  }

  /** Keeps a change that was taken back but for files which somebody else had changed. */
  leave(id: number): Promise<void> {
    return this.#keep(id, "left");
  }

  /** Forgets a change that was begun and taken back. */
  async drop(id: number): Promise<void> {
    await this.disk.unlink(this.#path(id, "pending"));
    await this.#unmark(id);
  }

  async #keep(id: number, state: "finished" | "left"): Promise<void> {
    await this.disk.rename(this.#path(id, "pending"), this.#path(id, state));
    await this.#unmark(id);
    await syncFolder(this.folder, this.disk);
    // The change is made by now, whether there is room or not.
    await this.#makeRoom(id).catch(() => undefined);
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

  /** Removes the journals of workspaces to which nothing was written for long, but for changes that are not finished. */
  async #forgetOthers(): Promise<void> {
    const all = dirname(this.folder);
    for (const name of await this.disk.readdir(all)) {
      const folder = join(all, name);
      // A folder's own time is that of the last entry that came or went.
      if (Date.now() - (await this.disk.stat(folder)).mtimeMs < forgottenAfterMs) continue;
      const files = await this.disk.readdir(folder);
      if (files.some((file) => !lasting.some((state) => file.endsWith(endings[state])))) continue;
      for (const file of files) await this.disk.unlink(join(folder, file));
      await this.disk.rmdir(folder);
    }
  }

  /** The numbers of entries in one state, ascending. */
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

  /** The head of an entry, without reading the rest of its file. */
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

/** The states in which an entry stays until there is no room for it. */
const lasting = ["finished", "left", "broken"] as const;
