import type { OpenFile } from "../../context/index.ts";

/** A document's path in a session. */
export interface DocumentPlace {
  /** Relative to the session's root, with `/`. */
  readonly path: string;
  /**
   * The path of the file whose access rules apply: `path`, unless the document is another revision
   * or a part of that file; absolute for a file outside of all folders.
   */
  readonly judgedAs: string;
  /** Whether the document is the current text of a whole file, or one that was never saved. */
  readonly isFile: boolean;
}

/** A document that is open in the editor. */
export type OpenDocumentFile = OpenFile & DocumentPlace;
