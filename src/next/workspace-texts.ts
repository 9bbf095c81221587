/** The files of a workspace as they are now: as editors show them where they are open, else as the disk has them. */
export interface WorkspaceTexts {
  /** The files that are open in an editor, the one looked at last first. */
  readonly open: readonly string[];
  /** The text of the file at `path`, from the workspace's root; `undefined` where there is none, or it may not be read. */
  textOf(path: string): string | undefined;
  /** The id of the file's language in the registry. */
  languageOf(path: string): string;
  /** The files that say all of these words, by path, in no order that matters. A word is a run of letters, digits, `_` and `$`. */
  saying(words: readonly string[]): readonly string[];
}
