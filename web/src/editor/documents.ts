import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Range, WorkspaceEdit } from "vscode-languageserver-protocol";
import { languageOf, plaintext } from "../../../src/syntax/language.ts";
import type { HttpFiles } from "../files/http-files.ts";
import { FileError } from "../files/http-files.ts";
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
  /** Whether it has what the disk has not. */
  readonly isDirty: ReadonlySignal<boolean>;
  /**
   * What the disk has by now, where that is another text than the one which was opened, and this
   * one was changed too.
   */
  readonly conflict: ReadonlySignal<DiskConflict | undefined>;
}

/** Two who changed the same file. */
export type DiskConflict = "changed" | "deleted";

/** What the documents say to whoever shows them. */
export interface DocumentViews {
  /** Shows a document, at a range if there is one, and focuses it. */
  reveal(document: OpenDocument, range: Range | undefined, options?: RevealOptions): void;
  /** What is selected in it. */
  selectionIn(document: OpenDocument): Range | undefined;
  /** Calls back when something else is selected, until disposed. */
  onSelection(handle: () => void): Disposable;
  tell(message: string, kind?: "info" | "error"): void;
}

/** How a document is shown. */
export interface RevealOptions {
  /** A view that is in front stays there, and an element that has the focus keeps it. */
  readonly isUnobtrusive?: boolean;
}

class Document implements OpenDocument {
  readonly isDirty = signal(false);
  readonly conflict: Signal<DiskConflict | undefined> = signal(undefined);
  savedVersion: number;
  readonly path: string;
  readonly uri: string;
  readonly model: monaco.editor.ITextModel;
  hash: string;

  constructor(path: string, uri: string, model: monaco.editor.ITextModel, hash: string) {
    this.path = path;
    this.uri = uri;
    this.model = model;
    this.hash = hash;
    this.savedVersion = model.getAlternativeVersionId();
  }

  /** The disk has the text of now, or what it had as that version. */
  saved(hash: string, version = this.model.getAlternativeVersionId()): void {
    this.hash = hash;
    this.savedVersion = version;
    this.conflict.value = undefined;
    this.judge();
  }

  judge(): void {
    this.isDirty.value = this.model.getAlternativeVersionId() !== this.savedVersion;
  }
}

/**
 * The documents that are open: their texts, what the language server is told of them, and how they
 * stand to the disk. The server knows each by the version of its model.
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

  /** Tells a server that knows nothing what is open. */
  announce(): void {
    for (const document of this.#open.value) this.#tellOpened(document);
    if (this.#active.value) this.#tellFocus(this.#active.value);
  }

  selection(): { readonly uri: string; readonly range: Range } | undefined {
    const document = this.#active.value;
    const range = document && this.#views.selectionIn(document);
    return range && { uri: document.uri, range };
  }

  onSelection(handle: () => void): Disposable {
    return this.#views.onSelection(handle);
  }

  /** Fails with an error for people where the file cannot be shown. */
  async open(uri: string, range?: Range, options?: RevealOptions): Promise<void> {
    const path = this.#files.tryPathOf(uri);
    if (path === undefined) throw new Error(`${uri} is outside of the workspace`);
    this.#show(await this.#load(path), range, options);
  }

  activate(document: OpenDocument): void {
    const known = this.#find(document.uri);
    if (known) this.#show(known, undefined);
  }

  /** Closes a tab and shows its neighbour. What was not saved is lost: ask before. */
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

  async save(paths: readonly string[]): Promise<void> {
    for (const document of this.#open.value) {
      if (paths.includes(document.path)) await this.#write(document, document.hash);
    }
  }

  /** Settles a conflict: by what stands here, or by what is on the disk. */
  async settle(document: OpenDocument, by: "mine" | "disk"): Promise<void> {
    const known = this.#find(document.uri);
    if (known === undefined) return;
    const there = await this.#tryRead(known.path);
    if (by === "mine") return this.#write(known, there?.hash);
    if (there === undefined) return this.close(known);
    this.#take(known, there.text);
    known.saved(there.hash);
  }

  /** Files have changed on the disk. */
  async changedOnDisk(paths: readonly string[]): Promise<void> {
    for (const document of this.#open.value) {
      if (!paths.includes(document.path)) continue;
      const before = document.hash;
      const there = await this.#tryRead(document.path);
      // What was saved meanwhile is newer than what was read.
      if (document.hash !== before || there?.hash === document.hash) continue;
      if (there === undefined) document.conflict.value = "deleted";
      else if (there.text === document.model.getValue()) document.saved(there.hash);
      else if (document.isDirty.value) document.conflict.value = "changed";
      else {
        this.#take(document, there.text);
        document.saved(there.hash);
      }
    }
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
              failureReason: `${this.#files.tryPathOf(change.uri)} has unsaved changes: save it first`,
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
          return { applied: false, failureReason: `${document.path} has changed since: ask again` };
        }
        const operations = change.edits.map(({ range, newText }) => ({ range: toMonacoRange(range), text: newText }));
        models.set(document, [...(models.get(document) ?? []), ...operations]);
      }
      await staged.write();
    } catch (error) {
      return { applied: false, failureReason: error instanceof Error ? error.message : String(error) };
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
      this.#tellFocus(document);
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
    this.#tellOpened(document);
    return document;
  }

  async #write(document: Document, hash: string | undefined): Promise<void> {
    const version = document.model.getAlternativeVersionId();
    try {
      document.saved(await this.#files.write(document.path, document.model.getValue(), hash), version);
    } catch (error) {
      if (!(error instanceof FileError) || (error.status !== 412 && error.status !== 404)) throw error;
      document.conflict.value = error.status === 404 ? "deleted" : "changed";
    }
  }

  async #tryRead(path: string): Promise<{ readonly text: string; readonly hash: string } | undefined> {
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (error instanceof FileError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Makes a text the document's by the smallest change, so that cursors stay where they are. */
  #take({ model }: Document, text: string): void {
    const edit = smallestEdit(model.getValue(), text);
    if (edit === undefined) return;
    const start = model.getPositionAt(edit.start);
    const end = model.getPositionAt(edit.end);
    model.pushStackElement();
    model.pushEditOperations([], [{ range: monaco.Range.fromPositions(start, end), text: edit.text }], () => null);
    model.pushStackElement();
  }

  #tellOpened({ path, uri, model }: Document): void {
    // The editor knows fewer languages than Emend, and other names of some.
    const known = languageOf(path, model.getLineContent(1)).id;
    const languageId = known === plaintext.id ? model.getLanguageId() : known;
    this.#server.notify("textDocument/didOpen", {
      textDocument: { uri, languageId, version: model.getVersionId(), text: model.getValue() },
    });
  }

  #tellFocus({ uri }: Document): void {
    this.#server.notify("textDocument/didFocus", { textDocument: { uri } });
  }
}
