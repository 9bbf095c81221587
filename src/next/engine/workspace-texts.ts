/** The present files of a workspace: as editors show them where they are open, else as on disk. */
export interface WorkspaceTexts {
  /** The files open in an editor, the most recently viewed first. */
  readonly open: readonly string[];
  /**
   * The text of the file at `path`, relative to the workspace's root; `undefined` where there is
   * none or it may not be read.
   */
  textOf(path: string): string | undefined;
  /** The file's language id, as in the language registry. */
  languageOf(path: string): string;
  /**
   * The paths of the files that contain all of these words, in no particular order. A word is a run
   * of letters, digits, `_` and `$`.
   */
  saying(words: readonly string[]): readonly string[];
  /**
   * Resolves when {@link saying} need not index words first. Indexing lets other work run between
   * slices. Absent where there is nothing to wait for.
   */
  settled?(): Promise<void>;
}
