import { type Disposable, languages, type TextDocument, type TextDocumentChangeEvent, workspace } from "vscode";
import type {
  DidChangeTextDocumentParams,
  DidOpenTextDocumentParams,
  TextDocumentContentChangeEvent,
} from "vscode-languageclient/node";
import { documentSelector } from "./document-selector.ts";

/** A document that was opened, and its changes since. */
export interface OpenedAndChanged {
  readonly opened: DidOpenTextDocumentParams;
  readonly changes: readonly DidChangeTextDocumentParams[];
}

/** A text of a document, and its changes since. */
interface Recorded {
  readonly text: string;
  readonly version: number;
  readonly changes: { readonly version: number; readonly contentChanges: readonly TextDocumentContentChangeEvent[] }[];
}

/**
 * The most changes that are recorded of a document; after more, its text then counts as the first.
 */
const maxChanges = 1_000;

/**
 * Records how documents change while no server has them, such as while it is started: the language
 * client opens a document with its text then, and a server that does not know the edits before
 * suggests no next edit for them. The file on the disk does not show them where VS Code saves it at
 * once.
 */
export class EarlierEdits implements Disposable {
  readonly #recorded = new Map<string, Recorded>();
  readonly #isServed: () => boolean;
  readonly #subscriptions: readonly Disposable[];

  /** `isServed`: whether documents that are opened now are sent to a server at once. */
  constructor(isServed: () => boolean) {
    this.#isServed = isServed;
    this.#subscriptions = [
      workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      workspace.onDidChangeTextDocument((event) => this.#changed(event)),
      workspace.onDidCloseTextDocument(({ uri }) => this.#recorded.delete(uri.toString())),
    ];
  }

  /** Starts with the present texts of all documents: no server has them. */
  record(): void {
    this.#recorded.clear();
    for (const document of workspace.textDocuments) this.#opened(document);
  }

  /** The first recorded text of a document that a server receives now, and its changes since. */
  take({ textDocument }: DidOpenTextDocumentParams): OpenedAndChanged {
    const { uri, version } = textDocument;
    const recorded = this.#recorded.get(uri);
    this.#recorded.delete(uri);
    // The client sends later changes itself.
    const changes = recorded?.changes.filter((change) => change.version <= version) ?? [];
    if (recorded === undefined || changes.length === 0) return { opened: { textDocument }, changes: [] };
    return {
      opened: { textDocument: { ...textDocument, text: recorded.text, version: recorded.version } },
      changes: changes.map(({ version, contentChanges }) => ({
        textDocument: { uri, version },
        contentChanges: [...contentChanges],
      })),
    };
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #opened(document: TextDocument): void {
    if (this.#isServed() || languages.match(documentSelector, document) === 0) return;
    this.#recorded.set(document.uri.toString(), recordedOf(document));
  }

  #changed({ document, contentChanges }: TextDocumentChangeEvent): void {
    const uri = document.uri.toString();
    const recorded = this.#recorded.get(uri);
    if (recorded === undefined || contentChanges.length === 0) return;
    if (recorded.changes.length === maxChanges) return void this.#recorded.set(uri, recordedOf(document));
    recorded.changes.push({
      version: document.version,
      contentChanges: contentChanges.map(({ range: { start, end }, text }) => ({
        range: {
          start: { line: start.line, character: start.character },
          end: { line: end.line, character: end.character },
        },
        text,
      })),
    });
  }
}

function recordedOf(document: TextDocument): Recorded {
  return { text: document.getText(), version: document.version, changes: [] };
}
