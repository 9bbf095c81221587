import { createHash } from "node:crypto";
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asciiJson, errorMessage } from "../../text/index.ts";
import { makeFolder } from "../../workspace/node/index.ts";
import type { BuiltinStatistics } from "../builtin/builtin-model.ts";
import type { Snapshot } from "../builtin/snapshot.ts";
import {
  readIndexFile,
  readIndexHead,
  temporaryEnding,
  temporaryOf,
  type WriteIndexOptions,
  writeIndexFile,
} from "./index-file.ts";

/** A file that an index has seen, as it was then. */
export interface SeenFile {
  /** The path from the workspace's root, with `/`. */
  readonly path: string;
  /** The id of its language. */
  readonly language: string;
  /** Bytes. */
  readonly size: number;
  /** See `stampOf` of `emend/workspace`. */
  readonly mtimeMs: number;
  /** See {@link contentHash}; empty for a file that was refused. */
  readonly hash: string;
  /** Why it was read and not learnt, in the caller's words; nothing for a learnt file. */
  readonly refused?: string;
}

/** The record of what an index contains. */
export interface IndexRecord {
  /** Each file that was learnt, and each that had to be read to be refused. */
  readonly files: readonly SeenFile[];
  readonly statistics: BuiltinStatistics;
  /** How long learning took, all in all. */
  readonly learningMs: number;
  /** Whether the whole workspace was learnt, or time ran out. */
  readonly isComplete: boolean;
}

/** What is kept of an index without its tables. */
export interface StoredIndexHeader extends IndexRecord {
  /** Bytes of its file. */
  readonly bytes: number;
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAtMs: number;
}

/** An index as it was kept. */
export interface StoredIndex extends StoredIndexHeader {
  readonly snapshot: Snapshot;
}

/**
 * The result of a lookup. `other-version` was written by another version of Emend, and will be
 * replaced. `broken` is a file that cannot be read, which will be replaced too, and should be
 * reported.
 */
export type CacheAnswer<Value> =
  | { readonly kind: "kept"; readonly value: Value }
  | { readonly kind: "absent" }
  | { readonly kind: "other-version" }
  | { readonly kind: "broken"; readonly detail: string };

/** What became of an index to be kept. */
export type SaveAnswer =
  | { readonly kind: "saved"; readonly bytes: number }
  /** It alone is larger than the cache may be. */
  | { readonly kind: "too-large"; readonly bytes: number; readonly maxBytes: number }
  | { readonly kind: "failed"; readonly detail: string };

/** Where indexes are kept, and how many. */
export interface IndexCacheOptions {
  /** An absolute path; made when it is missing, for its owner only. */
  readonly folder: string;
  /** The version of this package. An index of another one is not read. */
  readonly version: string;
  /**
   * The most bytes of all indexes together; default: 2 GiB. The workspaces used longest ago give
   * way.
   */
  readonly maxBytes?: number;
  /**
   * Whether {@link IndexCache.load} leaves what a request reads little of on the disk, which is
   * quick where one request is made. The file is open then until the process ends. Default:
   * `false`; on Windows, where an open file cannot be replaced, it has no effect.
   */
  readonly isForOneRequest?: boolean | undefined;
}

/** {@link IndexRecord.files} in columns, which are smaller and quicker to read than rows. */
interface FileColumns {
  readonly paths: readonly string[];
  readonly languages: readonly string[];
  readonly sizes: readonly number[];
  readonly mtimesMs: readonly number[];
  readonly hashes: readonly string[];
  /** Why files were refused, by their numbers. */
  readonly refused: readonly (readonly [file: number, why: string])[];
}

interface Head extends Omit<IndexRecord, "files"> {
  readonly files: FileColumns;
  readonly version: string;
  readonly root: string;
  readonly writtenAtMs: number;
  readonly snapshot: string;
}

interface Notes {
  readonly version: string;
  readonly root: string;
  readonly value: unknown;
}

/** Changes whenever the meaning of the head or of the notes changes. */
const format = 5;

const ending = ".index";

/** How the name of the file ends that lies beside an index, see {@link IndexCache.saveNotes}. */
const notesEnding = ".json";

/** What a writer left that has not finished for this long is removed. */
const abandonedAfterMs = 15 * 60_000;

/**
 * The indexes of workspaces in a folder of the user's, one file a workspace, and beside it one with
 * notes.
 *
 * Any number of processes may use the folder at once: a file is there whole or not at all, and the
 * last whole one wins. Nothing here fails because of what the folder holds: the worst answer is
 * that there is nothing.
 */
export class IndexCache {
  readonly #folder: string;
  readonly #version: string;
  readonly #maxBytes: number;
  readonly #leavesTables: boolean;

  constructor({ folder, version, maxBytes = 2 * 1024 ** 3, isForOneRequest = false }: IndexCacheOptions) {
    this.#folder = folder;
    this.#version = `${format}/${version}`;
    this.#maxBytes = maxBytes;
    this.#leavesTables = isForOneRequest && process.platform !== "win32";
  }

  /** The absolute path of the file for the workspace at `root`, whether there is one or not. */
  fileOf(root: string): string {
    return join(this.#folder, contentHash(root) + ending);
  }

  /**
   * The index of the workspace at the absolute path `root`, which counts as used now. Never
   * rejects.
   */
  async load(root: string): Promise<CacheAnswer<StoredIndex>> {
    const file = this.fileOf(root);
    const answer = await readIndexFile<Head>(file, {
      isWanted: (head) => this.#fits(head, root),
      leavesTables: this.#leavesTables,
    });
    if (answer.kind !== "read") return answer;
    const { head, tables, deflated, groups } = answer.value;
    if (!this.#fits(head, root)) return { kind: "other-version" };
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    const { snapshot: header, ...record } = recordOf(head);
    const snapshot = { header, tables, tokens: deflated[0]!, groups };
    return { kind: "kept", value: { ...record, bytes: answer.bytes, snapshot } };
  }

  /**
   * The record of the index of the workspace at `root`; reading it does not count as a use. Never
   * rejects.
   */
  async describe(root: string): Promise<CacheAnswer<StoredIndexHeader>> {
    const answer = await readIndexHead<Head>(this.fileOf(root));
    if (answer.kind !== "read") return answer;
    if (!this.#fits(answer.value, root)) return { kind: "other-version" };
    const { snapshot: _, ...record } = recordOf(answer.value);
    return { kind: "kept", value: { ...record, bytes: answer.bytes } };
  }

  /**
   * Keeps the index of the workspace at `root`, instead of the one before. Without
   * {@link WriteIndexOptions.beforeCopy} the tables must not change meanwhile.
   *
   * Rejects only with the signal's reason.
   */
  async save(
    root: string,
    record: IndexRecord,
    snapshot: Snapshot,
    options: WriteIndexOptions = {},
  ): Promise<SaveAnswer> {
    const { tables, tokens, groups } = snapshot;
    const size = groups.reduce((sum, { length }) => sum + length, 0);
    if (size > this.#maxBytes) return { kind: "too-large", bytes: size, maxBytes: this.#maxBytes };
    const file = this.fileOf(root);
    const head: Head = {
      ...record,
      files: columnsOf(record.files),
      version: this.#version,
      root,
      writtenAtMs: Date.now(),
      snapshot: snapshot.header,
    };
    try {
      await makeFolder(this.#folder, { mode: 0o700 });
      const bytes = await writeIndexFile(file, { head, tables, deflated: [tokens], groups }, options);
      if (bytes > this.#maxBytes) {
        await rm(file, { force: true });
        return { kind: "too-large", bytes, maxBytes: this.#maxBytes };
      }
      await this.#makeRoom(file);
      return { kind: "saved", bytes };
    } catch (error) {
      options.signal?.throwIfAborted();
      return { kind: "failed", detail: errorMessage(error) };
    }
  }

  /**
   * What {@link saveNotes} kept for the workspace at `root`; `undefined` where there is nothing, or
   * something of another version. Never rejects.
   */
  async loadNotes(root: string): Promise<unknown> {
    try {
      const notes = JSON.parse(await readFile(this.#notesOf(this.fileOf(root)), "latin1")) as Notes;
      return notes.version === this.#version && notes.root === root ? notes.value : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps what the caller knows of the workspace at `root`, as JSON, beside its index and as long
   * as that; does nothing where there is no index. It is cheaper to replace than the index. Never
   * rejects.
   */
  async saveNotes(root: string, value: unknown): Promise<void> {
    const file = this.fileOf(root);
    const notes: Notes = { version: this.#version, root, value };
    const temporary = temporaryOf(file);
    try {
      await stat(file);
      await writeFile(temporary, asciiJson(notes), { mode: 0o600, flag: "wx" });
      await rename(temporary, this.#notesOf(file));
    } catch {
      await rm(temporary, { force: true }).catch(() => undefined);
    }
  }

  #notesOf(file: string): string {
    return file.slice(0, -ending.length) + notesEnding;
  }

  #fits(head: Head, root: string): boolean {
    return head.version === this.#version && head.root === root;
  }

  /**
   * Removes what killed writers left, and what was used longest ago, until the rest fits. `kept`
   * stays.
   */
  async #makeRoom(kept: string): Promise<void> {
    const now = Date.now();
    const found: { readonly path: string; readonly size: number; readonly usedAtMs: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(ending) && !name.endsWith(temporaryEnding)) continue;
      const path = join(this.#folder, name);
      // Another process may have removed it.
      const entry = await stat(path).catch(() => undefined);
      if (entry === undefined) continue;
      if (name.endsWith(ending)) found.push({ path, size: entry.size, usedAtMs: entry.mtimeMs });
      else if (now - entry.mtimeMs > abandonedAfterMs) await rm(path, { force: true }).catch(() => undefined);
    }
    let total = found.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of found.sort((a, b) => a.usedAtMs - b.usedAtMs)) {
      if (total <= this.#maxBytes) return;
      if (path === kept) continue;
      await rm(path, { force: true }).catch(() => undefined);
      await rm(this.#notesOf(path), { force: true }).catch(() => undefined);
      total -= size;
    }
  }
}

function columnsOf(files: readonly SeenFile[]): FileColumns {
  return {
    paths: files.map(({ path }) => path),
    languages: files.map(({ language }) => language),
    sizes: files.map(({ size }) => size),
    mtimesMs: files.map(({ mtimeMs }) => mtimeMs),
    hashes: files.map(({ hash }) => hash),
    refused: files.flatMap(({ refused }, i) => (refused === undefined ? [] : [[i, refused] as const])),
  };
}

function recordOf(head: Head): Omit<Head, "files"> & Pick<IndexRecord, "files"> {
  const { paths, languages, sizes, mtimesMs, hashes, refused } = head.files;
  const files = paths.map((path, i): SeenFile => {
    return { path, language: languages[i]!, size: sizes[i]!, mtimeMs: mtimesMs[i]!, hash: hashes[i]! };
  });
  for (const [i, why] of refused) files[i] = { ...files[i]!, refused: why };
  return { ...head, files };
}

/**
 * A hash of a text, to detect whether it has changed: the first 32 hexadecimal digits of its
 * SHA-256.
 */
export function contentHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
