import type { ReadonlySignal } from "@preact/signals";
import type { ComponentChild } from "preact";
import type { Range, WorkspaceEdit } from "vscode-languageserver-protocol";

/** The language server at the other end of the WebSocket. */
export interface ServerLink {
  /** Rejects with the server's error, whose message is for people, or with the signal's reason. */
  request<Answer>(method: string, params?: unknown, options?: { readonly signal?: AbortSignal }): Promise<Answer>;
  notify(method: string, params?: unknown): void;
  /** Calls back for every notification of this method, until disposed. */
  on<Params>(method: string, handle: (params: Params) => void): Disposable;
}

/**
 * The workspace files on the server. Each failure is an `Error` with a message for people.
 */
export interface WorkspaceFiles {
  readonly rootUri: string;
  /** The entries of a folder, `""` for the root; folders first. */
  list(folder: string): Promise<readonly FileEntry[]>;
  /** The paths of the files that get suggestions, in the order of their paths. */
  paths(): Promise<readonly string[]>;
  uriOf(path: string): string;
  /** `undefined` for an address outside of the workspace. */
  tryPathOf(uri: string): string | undefined;
}

/** A file or folder. */
export interface FileEntry {
  readonly name: string;
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Whether the file gets no suggestions and is sent to no model. */
  readonly isIgnored: boolean;
}

/** The texts that the user edits. */
export interface OpenTexts {
  /** The selection in the active editor. */
  selection(): { readonly uri: string; readonly range: Range } | undefined;
  /**
   * Calls back when another editor becomes active or the selection changes, until disposed.
   */
  onSelection(handle: () => void): Disposable;
  open(uri: string, range?: Range): Promise<void>;
  /** The current text: of the open document, or else of the disk; `undefined` without a file. */
  textOf(uri: string): Promise<string | undefined>;
  /** The version of an open document, as the server knows it; `null` for a closed file. */
  versionOf(uri: string): number | null;
  /**
   * Applies an edit, with one undo step in each open document; closed files are written to disk.
   */
  apply(edit: WorkspaceEdit): Promise<{ readonly applied: boolean; readonly failureReason?: string }>;
  /** The paths of the open files with unsaved changes. */
  readonly unsaved: ReadonlySignal<readonly string[]>;
  /**
   * Writes open files to disk. A file that has changed on disk stays unsaved, and the user resolves
   * the conflict. Rejects with an error for people if a file cannot be written.
   */
  save(paths: readonly string[]): Promise<void>;
}

/** A large view of a panel in the main area, such as a diff or a graph. */
export interface MainView {
  /** A new view replaces the view with the same id. */
  readonly id: string;
  /** The title of the tab. */
  readonly title: string;
  /**
   * Rendered again when its signals change. The view fills the main area and scrolls its own
   * content.
   */
  render(): ComponentChild;
  /** Called after the user closes the view. */
  onClose?(): void;
}

/** The main area of the page, which contains the editors. */
export interface MainArea {
  /**
   * Shows a view as a tab beside the editors, in front by default. Disposing closes the view.
   */
  show(view: MainView, options?: { readonly inBackground?: boolean }): Disposable;
}

/** The services of the page for its panels. */
export interface PageServices {
  readonly server: ServerLink;
  readonly files: WorkspaceFiles;
  readonly texts: OpenTexts;
  readonly main: MainArea;
  /** Shows a message to the user, also announced by screen readers. */
  showMessage(message: string, kind?: "info" | "error"): void;
}
