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
 * What the page says to the server about files; each failure is an `Error` whose message is for
 * people.
 */
export interface WorkspaceFiles {
  readonly rootUri: string;
  /** What is in a folder, `""` for the root; folders first. */
  list(folder: string): Promise<readonly FileEntry[]>;
  uriOf(path: string): string;
  /** `undefined` for an address outside of the workspace. */
  tryPathOf(uri: string): string | undefined;
}

/** A file or folder. */
export interface FileEntry {
  readonly name: string;
  /** From the root, with `/`. */
  readonly path: string;
  readonly kind: "file" | "folder";
  /** Neither completed nor shown to a model. */
  readonly isIgnored: boolean;
}

/** The texts that the person edits. */
export interface OpenTexts {
  /** What is selected in the editor that was last looked at. */
  selection(): { readonly uri: string; readonly range: Range } | undefined;
  /**
   * Calls back when another editor is looked at, or another selection is made in it, until
   * disposed.
   */
  onSelection(handle: () => void): Disposable;
  open(uri: string, range?: Range): Promise<void>;
  /** The text now: of the open document, or else of the disk; `undefined` where there is none. */
  textOf(uri: string): Promise<string | undefined>;
  /** As one step to be undone in each document; files that are not open are written. */
  apply(edit: WorkspaceEdit): Promise<{ readonly applied: boolean; readonly failureReason?: string }>;
  /** Paths of the open files that have what the disk has not. */
  readonly unsaved: ReadonlySignal<readonly string[]>;
  /**
   * Writes open files to the disk; one that has changed there meanwhile stays unsaved, for the
   * person to settle. Rejects with an error for people where one cannot be written.
   */
  save(paths: readonly string[]): Promise<void>;
}

/** Something large that a panel shows, such as a diff or a graph. */
export interface MainView {
  /** A view of the same name takes the place of the one that is there. */
  readonly id: string;
  /** A few words, for its tab. */
  readonly title: string;
  /**
   * Drawn again as its own signals change, in all the room that editors have, which it scrolls by
   * itself.
   */
  render(): ComponentChild;
  /** Called once the person closes it. */
  onClose?(): void;
}

/** The middle of the page, where editors are. */
export interface MainArea {
  /**
   * Shows a view as a tab beside those of the editors, in front unless told; disposing closes it.
   */
  show(view: MainView, options?: { readonly inBackground?: boolean }): Disposable;
}

/** What panels of the page are made with. */
export interface PageServices {
  readonly server: ServerLink;
  readonly files: WorkspaceFiles;
  readonly texts: OpenTexts;
  readonly main: MainArea;
  /** Says something to the person, also by a screen reader. */
  tell(message: string, kind?: "info" | "error"): void;
}
