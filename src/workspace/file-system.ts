import { EmendError } from "../text/index.ts";

/**
 * The kind of a folder's entry. `special` is a pipe, a socket or a device; opening one may block
 * for ever.
 */
export type EntryKind = "file" | "folder" | "link" | "special";

/** One entry of a folder, with its kind; links are not followed. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** The metadata of a file or folder. */
export interface FileStat {
  readonly kind: Exclude<EntryKind, "link">;
  /** In bytes. */
  readonly size: number;
  /** The time of the last change, in milliseconds since 1970; may have a fraction. */
  readonly mtimeMs: number;
  /**
   * The time of the last change of the entry or of its metadata, such as its permissions, in the
   * same unit; unlike {@link mtimeMs} no program can set it. Absent where the file system has none.
   */
  readonly ctimeMs?: number;
}

/**
 * Read access to a file system.
 *
 * Paths are absolute, with `/` between names on every system. Each method rejects with a
 * {@link FileSystemError} and with nothing else. The contract of every implementation is
 * `file-system.laws.ts`.
 */
export interface FileSystem {
  /**
   * The bytes of a regular file; links are followed. Rejects at once for what is no regular file,
   * and for a file of more than `maxBytes` bytes (default: 2 GB).
   */
  readFile(path: string, options?: { readonly maxBytes?: number }): Promise<Uint8Array>;
  /** The entries of a folder, in any order, without `.` and `..`; links in it are not followed. */
  readFolder(path: string): Promise<readonly FolderEntry[]>;
  /** The metadata of what is at `path`; links are followed. */
  stat(path: string): Promise<FileStat>;
  /**
   * What {@link stat} resolves to for each of the paths, or why it rejects. A file system has it
   * where that is cheaper than one call a path.
   */
  statAll?(paths: readonly string[]): Promise<readonly (FileStat | FileSystemError)[]>;
  /** The canonical absolute path of what is at `path`, with every link resolved. */
  realPath(path: string): Promise<string>;
  /**
   * The target of the link at `path` as it is written: absolute, or relative to the folder of the
   * link; `undefined` when `path` is something else. Absent in a file system without links.
   */
  readLink?(path: string): Promise<string | undefined>;
  /**
   * The absolute path of the user's own ignore file for the folder at `path`, git's
   * `core.excludesFile`; the file need not exist. `undefined` when git has none. Never rejects.
   */
  excludesFile?(path: string): Promise<string | undefined>;
}

/**
 * Why a file system call failed. `link-loop` is a chain of links that never ends; `disk-failed` is
 * every failure without a code of its own.
 */
export type FileSystemFailure =
  | "file-missing"
  | "no-permission"
  | "not-a-folder"
  | "not-a-file"
  | "special-file"
  | "too-large"
  | "link-loop"
  | "disk-failed";

/** A call of {@link FileSystem} failed. */
export class FileSystemError extends EmendError {
  declare readonly code: FileSystemFailure;
  /** The absolute path that was passed to the call. */
  readonly path: string;

  constructor(code: FileSystemFailure, path: string, options?: { readonly cause?: unknown }) {
    super(code, `${explanations[code]}: ${path}`, options);
    this.path = path;
  }
}

const explanations: Readonly<Record<FileSystemFailure, string>> = {
  "file-missing": "There is no such file or folder",
  "no-permission": "The system does not let us read",
  "not-a-folder": "This is not a folder",
  "not-a-file": "This is not a file",
  "special-file": "This is a pipe, a socket or a device",
  "too-large": "This file is too large to be read",
  "link-loop": "This link leads back to itself",
  "disk-failed": "The disk could not be read",
};

/** What a {@link Watch} observes, and its callbacks. Paths are absolute, with `/` between names. */
export interface WatchRequest {
  /** Folders, watched with everything below them, and single files. */
  readonly paths: readonly string[];
  /**
   * Whether a path and everything below it need not be watched. `kind` is `undefined` where it is
   * unknown.
   */
  readonly isExcluded: (path: string, kind: "file" | "folder" | undefined) => boolean;
  /**
   * Called when the entry at `path` was created, changed or removed. Too many calls are harmless,
   * and their order and number mean nothing: the receiver has to look at the disk.
   */
  readonly onChange: (path: string) => void;
  /** Called when the watcher has failed and changes may have been missed. */
  readonly onError: (error: unknown) => void;
}

/** A running watcher. It may be disposed of twice. */
export interface Watcher extends AsyncDisposable {
  /** Watches `path` as well, after `isOut` excluded it. */
  add(path: string): void;
}

/** Starts watching. Resolves when every later change will be noticed. */
export type Watch = (request: WatchRequest) => Promise<Watcher>;
