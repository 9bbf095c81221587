import { commands, EventEmitter, Range, type Uri, WorkspaceEdit, window, workspace } from "vscode";
import { changedFiles, messageText } from "./message-text.ts";

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
  readonly #changed = new EventEmitter<void>();
  /** Fires after an edit was applied, and after it was undone. */
  readonly onDidChange = this.#changed.event;

  /** The documents that the last edit changed; `undefined` where there is none to undo. */
  get last(): readonly ChangedText[] | undefined {
    return this.#last;
  }

  /**
   * Shows a message with the files that an edit changed, by names relative to the workspace, and a
   * button that undoes this edit.
   */
  async show(edit: readonly ChangedText[], what: string): Promise<void> {
    const paths = edit.map(({ uri }) => workspace.asRelativePath(uri));
    const undo = "Undo";
    const message = messageText(`${what} ${changedFiles(paths)}.`);
    if ((await window.showInformationMessage(message, undo)) !== undo) return;
    if (edit === this.#last) await commands.executeCommand("emend.undoLastEdit");
    else void window.showInformationMessage(messageText("there was another edit since. Undo that one first."));
  }

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
    if (changed.length > 0) {
      this.#last = changed;
      this.#changed.fire();
    }
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
    this.#changed.fire();
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
