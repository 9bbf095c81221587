/** The answer of `GET api/workspace`. */
export interface PageWorkspace {
  /** The absolute path of the folder, links resolved, with `/` between names. */
  readonly root: string;
  readonly rootUri: string;
  /** The folder's name, for people. */
  readonly name: string;
  /** The version of this package. */
  readonly version: string;
}

/**
 * A file or folder in the answer of `GET api/files?folder=`: folders first, each kind sorted by
 * name.
 */
export interface PageFileEntry {
  readonly name: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** For a link, the kind of its target, if that lies in the workspace. */
  readonly kind: "file" | "folder";
  /**
   * Neither completed nor sent to a model: it is ignored, contains secrets, or links out of the
   * workspace.
   */
  readonly isIgnored: boolean;
}

/** The answer of `GET api/files`. */
export interface PageFileList {
  readonly entries: readonly PageFileEntry[];
}

/** The answer of `GET api/paths`. */
export interface PagePaths {
  /**
   * The paths of files that are neither ignored nor secret, relative to the root and in the order
   * of their paths; at most 50,000.
   */
  readonly paths: readonly string[];
}

/** The answer of `GET api/file?path=`. */
export interface PageFileText {
  /** Without a byte order mark; line endings as on the disk. */
  readonly text: string;
  /** The hash of the bytes on the disk; `If-Match` takes it. */
  readonly hash: string;
}

/** The answer of `PUT api/file?path=`. */
export interface PageFileWritten {
  readonly hash: string;
}

/**
 * The data of an event of `GET api/changes`: these files and folders may have changed, or been
 * created or deleted.
 */
export interface PageChanges {
  readonly paths: readonly string[];
}

/** The body of an error response. */
export interface PageFailure {
  /** A stable name, such as `missing`, `outside` or `changed`. */
  readonly code: string;
  /** For people, with what they can do. */
  readonly message: string;
}
