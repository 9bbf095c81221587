import { Range, type Uri, WorkspaceEdit, workspace } from "vscode";

/** A document before and after an edit of Emend. */
interface ChangedText {
  readonly uri: Uri;
  readonly before: string;
  readonly after: string;
}

/** The result of an undo; `why` is a sentence for the user. */
export type UndoOutcome =
  | { readonly kind: "undone"; readonly files: number }
  | { readonly kind: "not"; readonly why: string };

/** The last edit that Emend applied to the documents, so that it can be undone as a whole. */
export class AppliedEdits {
  #last: readonly ChangedText[] | undefined;

  /**
   * Applies an edit with `apply` and keeps the earlier texts of `uris`. Returns the result of
   * `apply`.
   */
  async keep(uris: readonly Uri[], apply: () => PromiseLike<boolean>): Promise<boolean> {
    const before = await Promise.all(uris.map(async (uri) => ({ uri, text: await tryTextOf(uri) })));
    const isApplied = await apply();
    if (!isApplied) return false;
    const changed: ChangedText[] = [];
    for (const { uri, text } of before) {
      const after = await tryTextOf(uri);
      if (text !== undefined && after !== undefined && text !== after) changed.push({ uri, before: text, after });
    }
    if (changed.length > 0) this.#last = changed;
    return true;
  }

  /** Undoes the last edit in all of its documents, or in none if one has changed since. */
  async undo(): Promise<UndoOutcome> {
    if (this.#last === undefined) return { kind: "not", why: "There is no edit by Emend to undo." };
    const edit = new WorkspaceEdit();
    for (const { uri, before, after } of this.#last) {
      const document = await workspace.openTextDocument(uri);
      if (document.getText() !== after) {
        const path = workspace.asRelativePath(uri);
        return { kind: "not", why: `${path} has changed since. Undo those changes first, or undo in each file.` };
      }
      edit.replace(uri, new Range(document.positionAt(0), document.positionAt(after.length)), before);
    }
    const files = this.#last.length;
    if (!(await workspace.applyEdit(edit))) return { kind: "not", why: "VS Code did not apply the undo." };
    this.#last = undefined;
    return { kind: "undone", files };
  }
}

/** `undefined` for a file that does not exist, or is not text. */
async function tryTextOf(uri: Uri): Promise<string | undefined> {
  try {
    return (await workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}
