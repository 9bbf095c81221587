/** What `GET api/workspace` answers. */
export interface PageWorkspace {
  /** The absolute folder, links resolved, with `/` between names. */
  readonly root: string;
  readonly rootUri: string;
  /** The folder's name, for people. */
  readonly name: string;
  /** The version of this package. */
  readonly version: string;
}

/** A file or folder, as `GET api/files?folder=` lists them: folders first, each kind in the order of names. */
export interface PageFileEntry {
  readonly name: string;
  /** From the root, with `/`. */
  readonly path: string;
  /** What a link leads to, if that lies in the workspace. */
  readonly kind: "file" | "folder";
  /** Neither completed nor shown to a model: it is ignored, keeps secrets, or leads out of the workspace. */
  readonly isIgnored: boolean;
}

/** What `GET api/files` answers. */
export interface PageFileList {
  readonly entries: readonly PageFileEntry[];
}

/** What `GET api/file?path=` answers. */
export interface PageFileText {
  /** Without a byte order mark; line ends as they are. */
  readonly text: string;
  /** Of the bytes on the disk; what `If-Match` names. */
  readonly hash: string;
}

/** What `PUT api/file?path=` answers. */
export interface PageFileWritten {
  readonly hash: string;
}

/** What `GET api/changes` sends as the data of an event: these files and folders may have changed, come or gone. */
export interface PageChanges {
  readonly paths: readonly string[];
}

/** The body of an answer that is an error. */
export interface PageFailure {
  /** A stable name, such as `missing`, `outside` or `changed`. */
  readonly code: string;
  /** For people, with what they can do. */
  readonly message: string;
}
