import { type FileSystem, FileSystemError, nameOf, tryRelativePath, trySecretPath } from "../workspace/index.ts";
import { pathInUri, tryPathOfUri } from "./file-uri.ts";
import type { DocumentPlace, WorkspaceSession } from "./session/index.ts";

/**
 * The session that a document belongs to, and the document's path in it.
 *
 * For a document outside of the session's folder, or that is no file, `path` is only the name, or
 * the whole path if that shows that the file contains secrets. Access to a file outside of all
 * folders is judged by its absolute path.
 */
export interface Placed extends DocumentPlace {
  readonly session: WorkspaceSession;
}

/** The options of a {@link SessionSet}. */
export interface SessionSetOptions {
  readonly fileSystem: FileSystem;
  /**
   * Opens the session of the absolute folder `root`, links resolved; if `undefined`, that of files
   * in no folder.
   */
  open(root: string | undefined): WorkspaceSession;
}

interface Folder {
  /** The absolute path as the editor writes it. */
  readonly editorPath: string;
  readonly session: WorkspaceSession;
}

/** The sessions of an editor's workspace folders, and one more for files outside of them. */
export class SessionSet implements AsyncDisposable {
  readonly #options: SessionSetOptions;
  readonly #folders = new Map<string, Folder>();
  #outside: WorkspaceSession | undefined;

  constructor(options: SessionSetOptions) {
    this.#options = options;
  }

  /**
   * Opens a folder, by its own path where its links cannot be resolved. Does nothing for one that
   * is open, or for a URI that is not a file's. Rejects with what the `open` of the options throws.
   */
  async add(uri: string): Promise<void> {
    const editorPath = tryPathOfUri(uri);
    if (editorPath === undefined || this.#folders.has(editorPath)) return;
    const { fileSystem, open } = this.#options;
    const root = await realPathOf(editorPath, fileSystem);
    if (!this.#folders.has(editorPath)) this.#folders.set(editorPath, { editorPath, session: open(root) });
  }

  /** Closes a folder. Does nothing for one that is not open. */
  async remove(uri: string): Promise<void> {
    const editorPath = tryPathOfUri(uri);
    const folder = editorPath === undefined ? undefined : this.#folders.get(editorPath);
    if (folder === undefined) return;
    this.#folders.delete(folder.editorPath);
    await folder.session[Symbol.asyncDispose]();
  }

  /**
   * The session of the innermost folder that contains the document, by either path of the folder. A
   * document of another scheme with a file's path, such as an older revision in a diff view, is
   * judged as that file. A document that was never saved belongs to the first folder.
   */
  place(uri: string): Placed {
    // A fragment names a part of a file, such as a cell.
    const file = uri.includes("#") ? undefined : tryPathOfUri(uri);
    const inside = this.#placeIn(file ?? tryPathOfUri(uri.replace(/^[a-z][a-z0-9+.-]*:(\/\/[^/?#]*)?/i, "file://")));
    if (inside !== undefined && file !== undefined) return inside;
    const path = shownPathOf(uri);
    if (inside !== undefined) return { ...inside, path, isFile: false };
    const [first] = file === undefined ? this.#folders.values() : [];
    const isFile = file !== undefined || uri.startsWith("untitled:");
    return { session: first?.session ?? this.#outsideSession(), path, judgedAs: file ?? path, isFile };
  }

  /** All open sessions. */
  get all(): readonly WorkspaceSession[] {
    const sessions = [...this.#folders.values()].map(({ session }) => session);
    return this.#outside === undefined ? sessions : [...sessions, this.#outside];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sessions = this.all;
    this.#folders.clear();
    this.#outside = undefined;
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  }

  #placeIn(path: string | undefined): Placed | undefined {
    let best: Placed | undefined;
    for (const { editorPath, session } of path === undefined ? [] : this.#folders.values()) {
      for (const root of [editorPath, session.root!]) {
        const inside = tryRelativePath(root, path!);
        if (inside === undefined || inside === "") continue;
        if (best === undefined || inside.length < best.path.length) {
          best = { session, path: inside, judgedAs: inside, isFile: true };
        }
      }
    }
    return best;
  }

  #outsideSession(): WorkspaceSession {
    this.#outside ??= this.#options.open(undefined);
    return this.#outside;
  }
}

function shownPathOf(uri: string): string {
  const path = pathInUri(uri).replace(/^\/+/, "");
  return trySecretPath(path) === undefined ? nameOf(path) : path;
}

/**
 * The path with its links resolved; unchanged when it does not exist, which learning reports later.
 */
async function realPathOf(path: string, fileSystem: FileSystem): Promise<string> {
  try {
    return await fileSystem.realPath(path);
  } catch (error) {
    if (error instanceof FileSystemError) return path;
    throw error;
  }
}
