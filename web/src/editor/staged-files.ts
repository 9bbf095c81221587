import type { TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import { FileError, type HttpFiles } from "../files/http-files.ts";
import { monaco } from "./monaco.ts";
import { toMonacoRange } from "./positions.ts";

/** One step of a workspace edit. */
export type FileChange =
  /** `version` is `null` for any version of the document. */
  | {
      readonly kind: "edit";
      readonly uri: string;
      readonly version: number | null;
      readonly edits: readonly TextEdit[];
    }
  | { readonly kind: "create"; readonly uri: string }
  | { readonly kind: "delete"; readonly uri: string }
  | { readonly kind: "rename"; readonly uri: string; readonly newUri: string };

/** The steps of a workspace edit in order. */
export function changesOf({ documentChanges, changes }: WorkspaceEdit): readonly FileChange[] {
  if (documentChanges === undefined) {
    return Object.entries(changes ?? {}).map(([uri, edits]) => ({ kind: "edit", uri, version: null, edits }));
  }
  return documentChanges.map((change): FileChange => {
    if (!("kind" in change)) {
      const { uri, version } = change.textDocument;
      // The page does not announce support for snippet edits.
      return { kind: "edit", uri, version, edits: change.edits.filter((edit) => "newText" in edit) };
    }
    if (change.kind === "rename") return { kind: "rename", uri: change.oldUri, newUri: change.newUri };
    return { kind: change.kind, uri: change.uri };
  });
}

/** Changes of closed files, computed in memory and then written together. */
export class StagedFiles {
  readonly #files: HttpFiles;
  readonly #staged = new Map<string, StagedFile>();

  constructor(files: HttpFiles) {
    this.#files = files;
  }

  knows(uri: string): boolean {
    return this.#staged.has(this.#pathOf(uri));
  }

  isRemoved(uri: string): boolean {
    const path = this.#files.tryPathOf(uri);
    return path !== undefined && this.#staged.get(path)?.text === undefined && this.#staged.has(path);
  }

  /** Rejects with an error for people if a step cannot be applied. */
  async take(change: FileChange): Promise<void> {
    const path = this.#pathOf(change.uri);
    const file = await this.#file(path);
    if (change.kind === "create") {
      if (file.text !== undefined) throw new Error(`${path} already exists.`);
      this.#staged.set(path, { ...file, text: "" });
      return;
    }
    if (file.text === undefined) throw new Error(`${path} no longer exists. Send the request again.`);
    if (change.kind === "delete") this.#staged.set(path, { ...file, text: undefined });
    else if (change.kind === "rename") {
      const newPath = this.#pathOf(change.newUri);
      this.#staged.set(path, { ...file, text: undefined });
      this.#staged.set(newPath, { ...(await this.#file(newPath)), text: file.text });
    } else this.#staged.set(path, { ...file, text: applied(file.text, change.edits) });
  }

  async write(): Promise<void> {
    for (const [path, { text, hash }] of this.#staged) {
      if (text !== undefined) await this.#files.write(path, text, hash);
      else if (hash !== undefined) await this.#files.remove(path, hash);
    }
  }

  async #file(path: string): Promise<StagedFile> {
    const known = this.#staged.get(path);
    if (known) return known;
    try {
      return await this.#files.read(path);
    } catch (error) {
      if (error instanceof FileError && error.status === 404) return { text: undefined, hash: undefined };
      throw error;
    }
  }

  #pathOf(uri: string): string {
    const path = this.#files.tryPathOf(uri);
    if (path === undefined) throw new Error(`${uri} is outside the workspace.`);
    return path;
  }
}

interface StagedFile {
  /** `undefined` if the file does not exist. */
  readonly text: string | undefined;
  /** The hash of the file on disk. */
  readonly hash: string | undefined;
}

function applied(text: string, edits: readonly TextEdit[]): string {
  const model = monaco.editor.createModel(text);
  model.applyEdits(edits.map(({ range, newText }) => ({ range: toMonacoRange(range), text: newText })));
  const after = model.getValue();
  model.dispose();
  return after;
}
