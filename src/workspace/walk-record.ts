import { type FileSystem, FileSystemError, type FolderEntry } from "./file-system.ts";
import { ignoreFileNames } from "./ignore-tree.ts";
import type { SkipReason } from "./skip-reason.ts";
import { stampOf } from "./stamp.ts";
import { isWithin, joinPath } from "./workspace-path.ts";

/**
 * What a walk found in each folder, to be used by the next walk with the same options: a folder
 * that has not changed since is not listed, and its names are not judged again. Can be written as
 * JSON.
 */
export interface WalkRecord {
  /** The ignore files outside the workspace, or in its `.git`, and their stamps. */
  readonly outer: FileStamps;
  readonly folders: readonly (readonly [path: string, folder: RecordedFolder])[];
}

/** A folder as it was listed. */
export interface RecordedFolder {
  /** When the folder changed last, see `FileStat.ctimeMs`. */
  readonly changedAtMs: number;
  /** Its ignore files by name. */
  readonly ignoreFiles?: FileStamps | undefined;
  readonly entries: readonly RecordedEntry[];
}

/**
 * An entry of a folder: for a file that is worth reading its language and its name, such as
 * `python/a.py`; `/a` for a folder that is entered, `@/a` for a link; or a name that is skipped.
 */
export type RecordedEntry = string | readonly [name: string, reason: SkipReason];

/** The names of ignore files, and texts that differ after a file has changed. */
export type FileStamps = readonly (readonly [name: string, stamp: string])[];

/** The options of a {@link WalkRecorder}. */
export interface WalkRecorderOptions {
  readonly fileSystem: FileSystem;
  /** The absolute folder of the workspace. */
  readonly root: string;
  /** The record of an earlier walk with the same options. */
  readonly before: WalkRecord | undefined;
  /**
   * The time before the walk, in milliseconds since 1970. What has changed right before may change
   * again without a new time, and is not recorded.
   */
  readonly startedAtMs: number;
}

/** Recalls an earlier walk, and records this one. */
export class WalkRecorder {
  /** The number of folders that were listed, because they were new, or had changed. */
  listed = 0;
  readonly #options: WalkRecorderOptions;
  readonly #folders = new Map<string, RecordedFolder>();
  #before: ReadonlyMap<string, RecordedFolder> = new Map();
  #outer: FileStamps = [];
  /** The folders with other ignore files than before; nothing below them is recalled. */
  readonly #changedRules: string[] = [];

  constructor(options: WalkRecorderOptions) {
    this.#options = options;
  }

  /** Begins a walk. `outerFiles` are the absolute paths of ignore files that apply everywhere. */
  async open(outerFiles: readonly string[]): Promise<void> {
    const { before } = this.#options;
    this.#outer = await this.#stamps("", outerFiles);
    this.#folders.clear();
    if (before !== undefined && isEqual(before.outer, this.#outer)) this.#before = new Map(before.folders);
  }

  /** What this walk found. */
  get record(): WalkRecord {
    return { outer: this.#outer, folders: [...this.#folders] };
  }

  /** The folder at `path` as it was listed, unless it or what it is judged by has changed. */
  async recall(path: string): Promise<RecordedFolder | undefined> {
    const known = this.#before.get(path);
    if (known === undefined || this.#changedRules.some((folder) => isWithin(path, folder))) return undefined;
    if ((await this.changedAt(path)) !== known.changedAtMs) return undefined;
    const { ignoreFiles = [] } = known;
    if (ignoreFiles.length > 0) {
      const now = await this.#stamps(
        path,
        ignoreFiles.map(([name]) => name),
      );
      if (!isEqual(ignoreFiles, now)) return undefined;
    }
    this.#folders.set(path, known);
    return known;
  }

  /**
   * When the folder at `path` changed last; `undefined` where that is unknown, or may be the time
   * of a later change as well. To be called before the folder is listed.
   */
  async changedAt(path: string): Promise<number | undefined> {
    const { fileSystem, root, startedAtMs } = this.#options;
    try {
      const { ctimeMs } = await fileSystem.stat(joinPath(root, path));
      return ctimeMs === undefined || stampOf(ctimeMs, startedAtMs) < 0 ? undefined : ctimeMs;
    } catch (error) {
      if (error instanceof FileSystemError) return undefined;
      throw error;
    }
  }

  /**
   * The stamps of the ignore files among the entries of a folder that is listed. To be called
   * before they are read.
   */
  async ignoreFilesOf(path: string, entries: readonly FolderEntry[]): Promise<FileStamps> {
    this.listed += 1;
    const names = ignoreFileNames.filter((name) => entries.some((entry) => entry.name === name));
    const stamps = await this.#stamps(path, names);
    if (!isEqual(this.#before.get(path)?.ignoreFiles ?? [], stamps)) this.#changedRules.push(path);
    return stamps;
  }

  /** Records a folder that was listed, where it is known when it changed. */
  keep(path: string, folder: Omit<RecordedFolder, "changedAtMs"> & { readonly changedAtMs: number | undefined }): void {
    const { changedAtMs, ignoreFiles = [], entries } = folder;
    if (changedAtMs === undefined || ignoreFiles.some(([, stamp]) => stamp === unsure)) return;
    this.#folders.set(path, { changedAtMs, entries, ...(ignoreFiles.length > 0 && { ignoreFiles }) });
  }

  async #stamps(folder: string, names: readonly string[]): Promise<FileStamps> {
    const { fileSystem, root, startedAtMs } = this.#options;
    const stamps: (readonly [string, string])[] = [];
    for (const name of names) {
      const path = folder === "" && name.includes("/") ? name : joinPath(joinPath(root, folder), name);
      try {
        const { size, mtimeMs, ctimeMs = mtimeMs } = await fileSystem.stat(path);
        stamps.push([name, stampOf(ctimeMs, startedAtMs) < 0 ? unsure : `${size} ${mtimeMs} ${ctimeMs}`]);
      } catch (error) {
        if (!(error instanceof FileSystemError)) throw error;
        stamps.push([name, error.code]);
      }
    }
    return stamps;
  }
}

/** The stamp of a file that has just changed. It equals none, not even itself. */
const unsure = "unsure";

function isEqual(some: FileStamps, others: FileStamps): boolean {
  return (
    some.length === others.length &&
    some.every(([name, stamp], i) => name === others[i]![0] && stamp !== unsure && stamp === others[i]![1])
  );
}
