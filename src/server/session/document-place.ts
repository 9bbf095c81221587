import type { OpenFile } from "../../context/index.ts";

/** Where a document stands in a session. */
export interface DocumentPlace {
  /** From the session's root, with `/`. */
  readonly path: string;
  /** The path of the file whose rules hold for it: `path`, unless it is another state or a part of that file. */
  readonly judgedAs: string;
  /** Whether it is all of a file as it is now, or of one that was never saved. */
  readonly isFile: boolean;
}

/** A document that is open in the editor. */
export type OpenDocumentFile = OpenFile & DocumentPlace;
