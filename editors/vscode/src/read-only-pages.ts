import { type Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from "vscode";

/** Read-only documents: explanations and diffs of plans. */
export class ReadOnlyPages implements TextDocumentContentProvider, Disposable {
  static readonly scheme = "emend-page";
  readonly #texts = new Map<string, string>();
  readonly #changed = new EventEmitter<Uri>();
  readonly #registration = workspace.registerTextDocumentContentProvider(ReadOnlyPages.scheme, this);
  readonly onDidChange = this.#changed.event;

  /** Sets the text of a path, whose file extension determines the language. */
  put(path: string, text: string): Uri {
    const uri = Uri.from({ scheme: ReadOnlyPages.scheme, path: `/${path}` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: Uri): string {
    return this.#texts.get(uri.path) ?? "";
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
  }
}
