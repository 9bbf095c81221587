import { type FileSystem, FileSystemError, joinPath } from "../codebase/index.ts";
import { toFileUri, tryPathOfUri } from "./file-uri.ts";
import type { OpenDocuments } from "./open-documents.ts";
import { type DocumentsOfFolder, withoutMark } from "./plan-outcome.ts";
import { requestFailed, wrongParams } from "./request-error.ts";
import type { WorkspaceSession } from "./session/index.ts";
import type { SessionSet } from "./session-set.ts";

/** A workspace folder in which plans are carried out. */
export interface PlanFolder {
  readonly root: string;
  readonly session: WorkspaceSession;
}

/** What folders are looked up in. */
export interface PlanFoldersParts {
  readonly fileSystem: FileSystem;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
}

/** The folders of an editor, for plans: which one is meant, and what the editor shows of it. */
export class PlanFolders {
  readonly #parts: PlanFoldersParts;

  constructor(parts: PlanFoldersParts) {
    this.#parts = parts;
  }

  /** The folder that holds `uri`, or the only one that is open. Throws a `ResponseError` `InvalidParams`. */
  folderOf(uri: string | undefined): PlanFolder {
    const { sessions } = this.#parts;
    if (uri === undefined) {
      const folders = sessions.all.flatMap((session) =>
        session.root === undefined ? [] : { root: session.root, session },
      );
      if (folders.length === 1) return folders[0]!;
      const what = folders.length === 0 ? "No folder is open. Open one" : "Several folders are open. Name one as `uri`";
      throw wrongParams(`${what}: a plan is carried out in a folder.`);
    }
    // It may be the folder itself.
    const { session } = sessions.place(`${uri.replace(/\/+$/, "")}/.`);
    const { root } = session;
    if (root === undefined || tryPathOfUri(uri) === undefined)
      throw wrongParams(`${uri} lies in no folder that is open.`);
    return { root, session };
  }

  /** The path of a file in a folder. Throws a `ResponseError` `InvalidParams` where it lies elsewhere. */
  pathOf(uri: string, { session, root }: PlanFolder): string {
    const placed = this.#parts.sessions.place(uri);
    if (placed.session !== session || !placed.isFile) throw wrongParams(`${uri} does not lie in ${root}.`);
    return placed.path;
  }

  /** The documents of a folder as the editor has them. */
  documentsIn({ root, session }: PlanFolder): DocumentsOfFolder {
    const { documents, sessions } = this.#parts;
    const open = new Map<string, { readonly uri: string; readonly version: number; readonly text: string }>();
    for (const { document } of documents.all) {
      const placed = sessions.place(document.uri);
      if (placed.session === session && tryPathOfUri(document.uri) !== undefined) open.set(placed.path, document);
    }
    return {
      uri: toFileUri(root),
      uriOf: (path) => open.get(path)?.uri ?? toFileUri(joinPath(root, path)),
      get: (path) => open.get(path),
      paths: [...open.keys()],
    };
  }

  /** A plan begins with what is on the disk: throws where the editor shows something else. */
  async checkSaved(folder: PlanFolder): Promise<void> {
    const { session, root } = folder;
    const documents = this.documentsIn(folder);
    const unsaved: string[] = [];
    for (const path of documents.paths) {
      const { text } = documents.get(path)!;
      const place = { path, judgedAs: path, isFile: true };
      if ((await session.accessTo(place, text)).kind !== "allowed") continue;
      const saved = await session.tryReadFile(place);
      if (saved === undefined ? text !== "" && !(await this.#exists(root, path)) : withoutMark(saved) !== text)
        unsaved.push(path);
    }
    if (unsaved.length === 0) return;
    const [is, them] = unsaved.length === 1 ? ["is", "it"] : ["are", "them"];
    throw requestFailed(
      `${unsaved.join(", ")} ${is} not saved, and a plan works with what is on the disk. Save ${them}, and ask once more.`,
    );
  }

  async #exists(root: string, path: string): Promise<boolean> {
    try {
      await this.#parts.fileSystem.stat(joinPath(root, path));
      return true;
    } catch (error) {
      if (error instanceof FileSystemError) return false;
      throw error;
    }
  }
}
