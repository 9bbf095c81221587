import { EmendError } from "../text/errors.ts";

/** What a name in a folder stands for. `special` is a pipe, a socket or a device: opening one may wait for ever. */
export type EntryKind = "file" | "folder" | "link" | "special";

/** One name in a folder, and what it stands for without following links. */
export interface FolderEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** What is known of a file without reading it. */
export interface FileStat {
  readonly kind: Exclude<EntryKind, "link">;
  /** Bytes. */
  readonly size: number;
  /** The last change, in milliseconds since 1970; it may have a fraction. */
  readonly mtimeMs: number;
}

/**
 * A disk, as far as Emend needs one: reading only.
 *
 * Paths are absolute, with `/` between names on every system. Each method rejects with a {@link FileSystemError} and
 * with nothing else. What every implementation promises is written down in `file-system.laws.ts`.
 */
export interface FileSystem {
  /** The bytes of a file; links are followed. */
  readFile(path: string): Promise<Uint8Array>;
  /** The names in a folder, in any order, without `.` and `..`; links in it are not followed. */
  readFolder(path: string): Promise<readonly FolderEntry[]>;
  /** What is at `path`; links are followed. */
  stat(path: string): Promise<FileStat>;
  /** The one true absolute path of what is at `path`, with every link on the way resolved. */
  realPath(path: string): Promise<string>;
}

/** Why a disk said no. `link-loop` is a chain of links that never ends, `disk-failed` everything without its own name. */
export type FileSystemFailure =
  | "file-missing"
  | "no-permission"
  | "not-a-folder"
  | "not-a-file"
  | "link-loop"
  | "disk-failed";

/** A disk could not do what it was asked. */
export class FileSystemError extends EmendError {
  declare readonly code: FileSystemFailure;
  /** The path it was about. */
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
  "link-loop": "This link leads back to itself",
  "disk-failed": "The disk could not read",
};
