import { EditHistory, type PastEdit } from "../context/index.ts";
import type { Edit, TextEdit } from "../text/index.ts";
import type { NextEditParts } from "./next-edit-parts.ts";
import type { NextEditOutcome } from "./outcome.ts";
import type { NextEditRequest } from "./request.ts";

/** Edits of files of a workspace that belong together, each of the present text of its file. */
export interface WholeChain {
  readonly files: ReadonlyMap<string, { readonly text: string; readonly edit: Edit }>;
}

/**
 * Next edits: gate, reuse, sources, model, check, offer.
 *
 * It is told what the person does, and holds the history of edits, what was suggested and what was rejected. The texts of `parts.files` are the host's, who tells
 * them first and then the engine.
 */
export class NextEditEngine implements Disposable {
  constructor(parts: NextEditParts) {
    void parts;
    throw new Error("to be written");
  }

  /** What may be edited next, or why nothing is. A request supersedes the one before, for whichever document. It rejects only where a part is broken. */
  suggest(request: NextEditRequest, options?: { readonly signal?: AbortSignal }): Promise<NextEditOutcome> {
    void request;
    void options;
    throw new Error("to be written");
  }

  /** Tells that a person, or whatever the person runs, changed the file at `path`, whose text was `before`. */
  changed(path: string, before: string, edit: Edit): void {
    void [path, before, edit, EditHistory];
  }

  /** Tells that a file has another path now. */
  renamed(path: string, newPath: string): void {
    void [path, newPath];
  }

  /** Tells that a file's text changed otherwise than by editing: what is known of it is of no use. All files where no path is told, as after a checkout. */
  replaced(path?: string): void {
    void path;
  }

  /** What was edited lately, the oldest first. */
  get history(): readonly PastEdit[] {
    return [];
  }

  /** Tells that a suggestion is seen. */
  shown(id: string): void {
    void id;
  }

  /**
   * Tells that a suggestion was taken: all of it, or the part of its edit that is told. The texts are told by {@link changed} too, before or after. What comes next is
   * then offered without a wait.
   */
  accepted(id: string, part?: readonly TextEdit[]): void {
    void [id, part];
  }

  /** Tells that a person did not want a suggestion. It is not offered again while its place stays as it is. */
  rejected(id: string): void {
    void id;
  }

  /** A suggestion and all that is one thing with it, such as the rest of a rename, checked together; `undefined` where that would be worse, or the suggestion is no more. */
  whole(id: string, options?: { readonly signal?: AbortSignal }): Promise<WholeChain | undefined> {
    void [id, options];
    return Promise.resolve(undefined);
  }

  [Symbol.dispose](): void {}
}
