import type { Document, TextEdit, TextRange } from "../text/index.ts";

/** A cursor that wants ghost text. */
export interface GhostTextRequest {
  /** The document as the editor shows it. */
  readonly document: Document;
  /**
   * Its path from the workspace's root with `/`; the file's own name where it lies outside of any.
   */
  readonly path: string;
  /** The cursor's offset in the document. */
  readonly offset: number;
  /**
   * `automatic`: the person typed. `invoked`: the person requested ghost text, so that only
   * impossible requests are refused.
   */
  readonly trigger: "automatic" | "invoked";
  /**
   * The item picked in the editor's list of words, as the text it would put in the range's place.
   */
  readonly picked?: TextEdit;
  /**
   * Closers right of the cursor that the editor itself has put there, as the range they stand in.
   */
  readonly autoClosed?: TextRange;
  /** The number of alternatives; default: 1. */
  readonly limit?: number;
}
