/** One state of one file, as plain data. A new state is a new value with a higher version. */
export interface Document {
  /** The URI of the text: `file:`, or another scheme for unsaved text. */
  readonly uri: string;
  /**
   * The language's id in the registry of `emend/syntax`, such as `typescript`; the editor's own
   * where the registry has none.
   */
  readonly language: string;
  /** Grows with every change of the text. */
  readonly version: number;
  /** The whole text, decoded; line endings and a byte order mark are kept as they are. */
  readonly text: string;
}
