import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Range, WorkspaceEdit } from "vscode-languageserver-protocol";
import { languageOf, plaintext } from "../../../src/languages/languages.ts";
import { errorMessage } from "../../../src/text/index.ts";
import { FileError, type FileOnDisk, type HttpFiles } from "../files/http-files.ts";
import type { OpenTexts, ServerLink } from "../page-services.ts";
import { monaco } from "./monaco.ts";
import { toMonacoRange } from "./positions.ts";
import { smallestEdit } from "./smallest-edit.ts";
import { changesOf, StagedFiles } from "./staged-files.ts";

/** A file that is open in a tab. */
export interface OpenDocument {
  readonly path: string;
  readonly uri: string;
  readonly model: monaco.editor.ITextModel;
  /** Whether the document has unsaved changes. */
  readonly isDirty: ReadonlySignal<boolean>;
  /** The conflict with the disk, until it is resolved. */
  readonly conflict: ReadonlySignal<DiskConflict | undefined>;
}

/**
 * A conflict of a document with the disk: `changed` if the file and the document have both changed,
 * with what the disk has now, and `deleted` if the file was deleted.
 */
export type DiskConflict = { readonly kind: "changed"; readonly onDisk: FileOnDisk } | { readonly kind: "deleted" };

/** The view that shows the documents. */
export interface DocumentViews {
  /** Shows a document, at a range if there is one, and focuses it. */
  reveal(document: OpenDocument, range: Range | undefined, options?: RevealOptions): void;
  /** The selection in a document; `undefined` if the document is not visible. */
  selectionIn(document: OpenDocument): Range | undefined;
  /** Calls back when the selection changes, until disposed. */
  onSelection(handle: () => void): Disposable;
  showMessage(message: string, kind?: "info" | "error"): void;
}

/** Options for showing a document. */
export interface RevealOptions {
  /**
   * Keeps the view in front, the focused element, and the active document. The document becomes
   * active only if no other document is.
   */
  readonly isUnobtrusive?: boolean;
}

/** A text of a document, and its version, which an undo restores. */
interface DocumentState {
  readonly version: number;
  readonly text: string;
}

class Document implements OpenDocument {
  readonly isDirty = signal(false);
  readonly conflict: Signal<DiskConflict | undefined> = signal(undefined);
  #savedVersion: number;
  /** The text of the disk, as the editor has it: with one kind of line break. */
  #savedText: string;
  readonly path: string;
  readonly uri: string;
  readonly model: monaco.editor.ITextModel;
  hash: string;

  constructor(path: string, uri: string, model: monaco.editor.ITextModel, hash: string) {
    this.path = path;
    this.uri = uri;
    this.model = model;
    this.hash = hash;
    this.#savedVersion = model.getAlternativeVersionId();
    this.#savedText = model.getValue();
  }

  /** The current state, for {@link saved} after it is written. */
  get state(): DocumentState {
    return { version: this.model.getAlternativeVersionId(), text: this.model.getValue() };
  }

  /** Records that the disk has the text of this state, by default the current one. */
  saved(hash: string, { version, text }: DocumentState = this.state): void {
    this.hash = hash;
    this.#savedVersion = version;
    this.#savedText = text;
    this.conflict.value = undefined;
    this.judge();
  }

  /**
   * Finds out whether there are unsaved changes. A new edit that takes an earlier one back, such as
   * *Undo* of a plan, gives another version with the text of the disk.
   */
  judge(): void {
    const conflict = this.conflict.value;
    // An edit may resolve a conflict, such as an undo back to the text of the disk.
    if (conflict?.kind === "changed" && this.#has(conflict.onDisk.text)) this.saved(conflict.onDisk.hash);
    else
      this.isDirty.value = this.model.getAlternativeVersionId() !== this.#savedVersion && !this.#has(this.#savedText);
  }

  /** Compares what the disk has with the document. A difference becomes the conflict. */
  meet(onDisk: FileOnDisk | undefined): void {
    if (onDisk !== undefined && this.#has(onDisk.text)) this.saved(onDisk.hash);
    else this.conflict.value = onDisk === undefined ? { kind: "deleted" } : { kind: "changed", onDisk };
  }

  #has(text: string): boolean {
    // The length is known without a copy of the text.
    return this.model.getValueLength() === text.length && this.model.getValue() === text;
  }
}

/**
 * The id of a document's language in settings. The editor has fewer languages than Emend, and other
 * ids for some of them.
 */
export function languageIdOf({ path, model }: Pick<OpenDocument, "path" | "model">): string {
  const known = languageOf(path, model.getLineContent(1)).id;
  return known === plaintext.id ? model.getLanguageId() : known;
}

/**
 * The open documents: their texts, their synchronization with the language server by model version,
 * and their state relative to the disk.
 */
export class Documents implements OpenTexts {
  readonly #files: HttpFiles;
  readonly #server: ServerLink;
  readonly #views: DocumentViews;
  readonly #open: Signal<readonly Document[]> = signal([]);
  readonly #active: Signal<Document | undefined> = signal(undefined);
  readonly #opening = new Map<string, Promise<Document>>();
  readonly unsaved: ReadonlySignal<readonly string[]> = computed(() =>
    this.#open.value.filter(({ isDirty }) => isDirty.value).map(({ path }) => path),
  );

  constructor(files: HttpFiles, server: ServerLink, views: DocumentViews) {
    this.#files = files;
    this.#server = server;
    this.#views = views;
  }

  /** In the order of their tabs. */
  get all(): ReadonlySignal<readonly OpenDocument[]> {
    return this.#open;
  }

  get active(): ReadonlySignal<OpenDocument | undefined> {
    return this.#active;
  }

  get(uri: string): OpenDocument | undefined {
    return this.#find(uri);
  }

  ofModel(model: monaco.editor.ITextModel): OpenDocument | undefined {
    return this.#open.value.find((one) => one.model === model);
  }

  /** Sends all open documents to a new server. */
  announce(): void {
    for (const document of this.#open.value) this.#notifyOpened(document);
    if (this.#active.value) this.#notifyFocus(this.#active.value);
  }

  selection(): { readonly uri: string; readonly range: Range } | undefined {
    const document = this.#active.value;
    const range = document && this.#views.selectionIn(document);
    return range && { uri: document.uri, range };
  }

  onSelection(handle: () => void): Disposable {
    return this.#views.onSelection(handle);
  }

  /** Rejects with an error for people if the file cannot be opened. */
  async open(uri: string, range?: Range, options?: RevealOptions): Promise<void> {
    const path = this.#files.tryPathOf(uri);
    if (path === undefined) throw new Error(`${uri} is outside the workspace.`);
    const document = await this.#load(path);
    const keepsActive = options?.isUnobtrusive === true && this.#active.value !== undefined;
    if (!keepsActive) this.#show(document, range, options);
  }

  /**
   * Creates an empty file and opens it. Rejects with an error for people if there is one already.
   */
  async create(path: string): Promise<void> {
    await this.#files.write(path, "", undefined);
    await this.open(this.#files.uriOf(path));
  }

  activate(document: OpenDocument): void {
    const known = this.#find(document.uri);
    if (known) this.#show(known, undefined);
  }

  /** Closes a document and shows its neighbour. Unsaved changes are lost: confirm before. */
  close(document: OpenDocument): void {
    const index = this.#open.value.findIndex(({ path }) => path === document.path);
    if (index < 0) return;
    this.#open.value = this.#open.value.toSpliced(index, 1);
    this.#server.notify("textDocument/didClose", { textDocument: { uri: document.uri } });
    if (this.#active.value === document) {
      const next = this.#open.value[Math.min(index, this.#open.value.length - 1)];
      this.#active.value = undefined;
      if (next) this.#show(next, undefined);
    }
    document.model.dispose();
  }

  async textOf(uri: string): Promise<string | undefined> {
    const open = this.#find(uri);
    if (open) return open.model.getValue();
    const path = this.#files.tryPathOf(uri);
    return path === undefined ? undefined : (await this.#tryRead(path))?.text;
  }

  versionOf(uri: string): number | null {
    return this.#find(uri)?.model.getVersionId() ?? null;
  }

  async save(paths: readonly string[]): Promise<void> {
    for (const document of this.#open.value) {
      if (!paths.includes(document.path)) continue;
      await this.#write(document, document.hash);
      const conflict = document.conflict.value?.kind;
      if (conflict === undefined) continue;
      const reason = conflict === "deleted" ? "was deleted" : "has changed";
      this.#views.showMessage(
        `${document.path} was not saved, because it ${reason} on disk. Choose in the bar above the editor.`,
        "error",
      );
    }
  }

  /**
   * Resolves a conflict with the text of the editor (`mine`) or of the disk. Of a deleted file, the
   * text of the disk is none: the document is closed. Where the disk has changed once more, nothing
   * is written, and the conflict is the new one.
   */
  async settle(document: OpenDocument, by: "mine" | "disk"): Promise<void> {
    const known = this.#find(document.uri);
    const conflict = known?.conflict.value;
    if (known === undefined || conflict === undefined) return;
    if (by === "mine") {
      await this.#write(known, conflict.kind === "changed" ? conflict.onDisk.hash : undefined);
      if (known.conflict.value !== undefined)
        this.#views.showMessage(`${known.path} has changed on disk once more. Nothing was written.`, "error");
      return;
    }
    const there = await this.#tryRead(known.path);
    if (there === undefined && conflict.kind === "deleted") return this.close(known);
    if (there === undefined) return known.meet(there);
    this.#take(known, there.text);
    known.saved(there.hash);
  }

  /**
   * Updates the documents of files that have changed on disk. Resolves to the addresses of the
   * documents whose text was replaced, and to whether the page saved all of the files itself.
   */
  async changedOnDisk(
    paths: readonly string[],
  ): Promise<{ readonly replaced: readonly string[]; readonly areSaves: boolean }> {
    const replaced: string[] = [];
    let saves = 0;
    for (const document of this.#open.value) {
      if (!paths.includes(document.path)) continue;
      const before = document.hash;
      const there = await this.#tryRead(document.path);
      // A save during the read is newer than the text that was read.
      if (document.hash !== before || there?.hash === document.hash) {
        saves += 1;
        continue;
      }
      if (there === undefined || document.isDirty.value) {
        document.meet(there);
        continue;
      }
      if (there.text !== document.model.getValue()) replaced.push(document.uri);
      this.#take(document, there.text);
      document.saved(there.hash);
    }
    return { replaced, areSaves: saves === paths.length };
  }

  async apply(edit: WorkspaceEdit): Promise<{ readonly applied: boolean; readonly failureReason?: string }> {
    const staged = new StagedFiles(this.#files);
    const models = new Map<Document, monaco.editor.IIdentifiedSingleEditOperation[]>();
    try {
      for (const change of changesOf(edit)) {
        if (change.kind !== "edit") {
          if (change.kind !== "create" && this.#find(change.uri)?.isDirty.value) {
            return {
              applied: false,
              failureReason: `${this.#files.tryPathOf(change.uri)} has unsaved changes. Save the file first.`,
            };
          }
          await staged.take(change);
          continue;
        }
        const document = this.#find(change.uri);
        if (document === undefined || staged.knows(change.uri)) {
          await staged.take(change);
          continue;
        }
        if (change.version !== null && change.version !== document.model.getVersionId()) {
          return {
            applied: false,
            failureReason: `${document.path} has changed since the request. Send the request again.`,
          };
        }
        const operations = change.edits.map(({ range, newText }) => ({ range: toMonacoRange(range), text: newText }));
        models.set(document, [...(models.get(document) ?? []), ...operations]);
      }
      await staged.write();
    } catch (error) {
      return { applied: false, failureReason: errorMessage(error) };
    }
    for (const [{ model }, operations] of models) {
      model.pushStackElement();
      model.pushEditOperations([], operations, () => null);
      model.pushStackElement();
    }
    for (const document of this.#open.value) if (staged.isRemoved(document.uri)) this.close(document);
    return { applied: true };
  }

  #find(uri: string): Document | undefined {
    const path = this.#files.tryPathOf(uri);
    return this.#open.value.find((one) => one.path === path);
  }

  #show(document: Document, range: Range | undefined, options?: RevealOptions): void {
    if (this.#active.value !== document) {
      this.#active.value = document;
      this.#notifyFocus(document);
    }
    this.#views.reveal(document, range, options);
  }

  #load(path: string): Promise<Document> {
    const open = this.#open.value.find((one) => one.path === path);
    if (open) return Promise.resolve(open);
    const running = this.#opening.get(path);
    if (running) return running;
    const opening = this.#read(path).finally(() => this.#opening.delete(path));
    this.#opening.set(path, opening);
    return opening;
  }

  async #read(path: string): Promise<Document> {
    const { text, hash } = await this.#files.read(path);
    const uri = this.#files.uriOf(path);
    const model = monaco.editor.createModel(text, undefined, monaco.Uri.parse(uri));
    model.detectIndentation(true, 2);
    const document = new Document(path, uri, model, hash);
    model.onDidChangeContent((event) => {
      document.judge();
      const contentChanges = event.changes.map(({ range, rangeLength, text: newText }) => ({
        range: {
          start: { line: range.startLineNumber - 1, character: range.startColumn - 1 },
          end: { line: range.endLineNumber - 1, character: range.endColumn - 1 },
        },
        ...{ rangeLength, text: newText },
      }));
      const textDocument = { uri, version: event.versionId };
      this.#server.notify("textDocument/didChange", { textDocument, contentChanges });
    });
    this.#open.value = [...this.#open.value, document];
    this.#notifyOpened(document);
    return document;
  }

  async #write(document: Document, hash: string | undefined): Promise<void> {
    const { state } = document;
    try {
      document.saved(await this.#files.write(document.path, state.text, hash), state);
      this.#server.notify("textDocument/didSave", { textDocument: { uri: document.uri } });
    } catch (error) {
      if (!(error instanceof FileError) || (error.status !== 412 && error.status !== 404)) throw error;
      document.meet(await this.#tryRead(document.path));
    }
  }

  async #tryRead(path: string): Promise<FileOnDisk | undefined> {
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (error instanceof FileError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Replaces the text of a document by the smallest edit, to keep cursor positions. */
  #take({ model }: Document, text: string): void {
    const edit = smallestEdit(model.getValue(), text);
    if (edit === undefined) return;
    const start = model.getPositionAt(edit.start);
    const end = model.getPositionAt(edit.end);
    model.pushStackElement();
    model.pushEditOperations([], [{ range: monaco.Range.fromPositions(start, end), text: edit.text }], () => null);
    model.pushStackElement();
  }

  #notifyOpened(document: Document): void {
    const { uri, model } = document;
    this.#server.notify("textDocument/didOpen", {
      textDocument: {
        ...{ uri, languageId: languageIdOf(document) },
        ...{ version: model.getVersionId(), text: model.getValue() },
      },
    });
  }

  #notifyFocus({ uri }: Document): void {
    this.#server.notify("textDocument/didFocus", { textDocument: { uri } });
  }
}
