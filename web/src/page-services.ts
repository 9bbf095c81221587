import type { Range, WorkspaceEdit } from "vscode-languageserver-protocol";

/** The language server at the other end of the WebSocket. */
export interface ServerLink {
  /** Rejects with the server's error, whose message is for people, or with the signal's reason. */
  request<Answer>(method: string, params?: unknown, options?: { readonly signal?: AbortSignal }): Promise<Answer>;
  notify(method: string, params?: unknown): void;
  /** Calls back for every notification of this method, until disposed. */
  on<Params>(method: string, handle: (params: Params) => void): Disposable;
}

/** What the page says to the server about files; each failure is an `Error` whose message is for people. */
export interface WorkspaceFiles {
  readonly rootUri: string;
  /** What stands in a folder, `""` for the root; folders first. */
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
  open(uri: string, range?: Range): Promise<void>;
  /** The text now: of the open document, or else of the disk; `undefined` where there is none. */
  textOf(uri: string): Promise<string | undefined>;
  /** As one step to be undone in each document; files that are not open are written. */
  apply(edit: WorkspaceEdit): Promise<{ readonly applied: boolean; readonly failureReason?: string }>;
}

/** What panels of the page are made with. */
export interface PageServices {
  readonly server: ServerLink;
  readonly files: WorkspaceFiles;
  readonly texts: OpenTexts;
  /** Says something to the person, also by a screen reader. */
  tell(message: string, kind?: "info" | "error"): void;
}
