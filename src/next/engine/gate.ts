import { type AccessVerdict, type DocumentRefusal, refuseDocument } from "../../complete/index.ts";
import type { Snippet } from "../../context/index.ts";
import type { Diagnostic, Document } from "../../text/index.ts";
import { holdsPrivateKey } from "../../workspace/index.ts";
import type { NextEditSettings } from "./settings.ts";

/** A request for a next edit at a cursor. */
export interface NextEditRequest {
  /** The document as the editor shows it, unsaved changes included. */
  readonly document: Document;
  /** The document's path relative to the workspace's root, with `/`. */
  readonly path: string;
  /** The cursor's offset in the document, in UTF-16 units. */
  readonly offset: number;
  /**
   * `automatic`: the user typed or moved the cursor. `invoked`: the user requested an edit, so
   * there is no debounce, and recent rejections do not delay it.
   */
  readonly trigger: "automatic" | "invoked";
  /**
   * `ghost-text`: only an edit that inserts behind the cursor on its line. No model is used, and
   * asynchronous providers only when invoked. Default: any edit.
   */
  readonly shape?: "ghost-text";
  /**
   * Whether all places are wanted: then no number and no time is limited, and places with a new
   * type error come first, in the order in which an impact analysis lists their files. Default:
   * false.
   */
  readonly isExhaustive?: boolean;
  /** Diagnostics of the document, for a model. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Recently viewed snippets, the oldest first, for a model; see `recentlyViewedSnippets`. */
  readonly viewed?: readonly Omit<Snippet, "score">[];
}

/**
 * Returns why a request must not be answered, or `undefined` where it may; see `refuseDocument` of
 * `emend/complete`. A document that contains a private key is a secret one.
 */
export function refuseRequest(
  request: NextEditRequest,
  access: (path: string) => AccessVerdict,
  settings: NextEditSettings,
): DocumentRefusal | undefined {
  const { text } = request.document;
  return refuseDocument(request, (path) => (holdsPrivateKey(text) ? { kind: "secret" } : access(path)), settings);
}
