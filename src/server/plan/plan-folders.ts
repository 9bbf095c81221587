import { EmendError } from "../../text/index.ts";
import { type FileSystem, FileSystemError, joinPath } from "../../workspace/index.ts";
import { toFileUri, tryPathOfUri } from "../file-uri.ts";
import { wrongParams } from "../guard.ts";
import type { OpenDocuments } from "../open-documents.ts";
import type { WorkspaceSession } from "../session/index.ts";
import type { SessionSet } from "../session-set.ts";
import { type DocumentsOfFolder, withoutMark } from "./plan-outcome.ts";

/** A workspace folder in which plans run. */
export interface PlanFolder {
  readonly root: string;
  readonly session: WorkspaceSession;
}

/** Where folders are looked up. */
export interface PlanFoldersParts {
  readonly fileSystem: FileSystem;
  readonly documents: OpenDocuments;
  readonly sessions: SessionSet;
}

/**
 * The workspace folders of an editor, for plans: finds the one that a request is about, and its
 * open documents.
 */
export class PlanFolders {
  readonly #parts: PlanFoldersParts;

  constructor(parts: PlanFoldersParts) {
    this.#parts = parts;
  }

  /**
   * The folder that contains `uri`, or the only open one. Throws a `ResponseError` with
   * `InvalidParams` where there is no such folder, or several.
   */
  folderOf(uri: string | undefined): PlanFolder {
    const { sessions } = this.#parts;
    if (uri === undefined) {
      const folders = sessions.all.flatMap((session) =>
        session.root === undefined ? [] : { root: session.root, session },
      );
      if (folders.length === 1) return folders[0]!;
      const what = folders.length === 0 ? "No folder is open. Open one" : "Several folders are open. Name one as `uri`";
      throw wrongParams(`${what}: a plan runs in a folder.`);
    }
    // `/.` is appended because `uri` may be the folder itself.
    const { session } = sessions.place(`${uri.replace(/(?<!\/)\/+$/, "")}/.`);
    const { root } = session;
    if (root === undefined || tryPathOfUri(uri) === undefined) throw wrongParams(`${uri} is not in an open folder.`);
    return { root, session };
  }

  /**
   * The path of a file in a folder. Throws a `ResponseError` with `InvalidParams` where the file is
   * elsewhere.
   */
  pathOf(uri: string, { session, root }: PlanFolder): string {
    const placed = this.#parts.sessions.place(uri);
    if (placed.session !== session || !placed.isFile) throw wrongParams(`${uri} is not in ${root}.`);
    return placed.path;
  }

  /** The open documents of a folder, by path. */
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

  /**
   * Checks that all open documents of the folder are saved, since a plan starts from the files on
   * the disk. Throws an `EmendError` with code `unsaved` that names the unsaved ones.
   */
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
    throw new EmendError(
      "unsaved",
      `${unsaved.join(", ")} ${is} not saved, and a plan works with the files on the disk. Save ${them}, and try again.`,
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
