import { type FileSystem, FileSystemError, nameOf, tryRelativePath, trySecretPath } from "../codebase/index.ts";
import { pathInUri, tryPathOfUri } from "./file-uri.ts";
import type { DocumentPlace, WorkspaceSession } from "./session/index.ts";

/**
 * Where a document belongs: a session, and the document's path in it.
 *
 * For a document that does not lie in the session's folder, or is no file, the path is the bare name; all of its path if
 * that tells that it keeps secrets, so that whoever sees the path knows.
 */
export interface Placed extends DocumentPlace {
  readonly session: WorkspaceSession;
}

/** Who opens sessions. */
export interface SessionSetOptions {
  readonly fileSystem: FileSystem;
  /** Opens the session of the absolute folder `root`, links resolved; or that of files in no folder. */
  open(root: string | undefined): WorkspaceSession;
}

interface Folder {
  /** The absolute path as the editor writes it. */
  readonly given: string;
  readonly session: WorkspaceSession;
}

/** The sessions of an editor's workspace folders, and one more for files that lie in none of them. */
export class SessionSet implements AsyncDisposable {
  readonly #options: SessionSetOptions;
  readonly #folders = new Map<string, Folder>();
  #loose: WorkspaceSession | undefined;

  constructor(options: SessionSetOptions) {
    this.#options = options;
  }

  /** Opens a folder; nothing happens for one that is open, or for an address that names no file. */
  async add(uri: string): Promise<void> {
    const given = tryPathOfUri(uri);
    if (given === undefined || this.#folders.has(given)) return;
    const { fileSystem, open } = this.#options;
    const root = await realPathOf(given, fileSystem);
    if (!this.#folders.has(given)) this.#folders.set(given, { given, session: open(root) });
  }

  /** Closes a folder; nothing happens for one that is not open. */
  async remove(uri: string): Promise<void> {
    const given = tryPathOfUri(uri);
    const folder = given === undefined ? undefined : this.#folders.get(given);
    if (folder === undefined) return;
    this.#folders.delete(folder.given);
    await folder.session[Symbol.asyncDispose]();
  }

  /**
   * The session of the innermost folder that holds the document, by either path of the folder. What has a file's path in
   * an address of another scheme, such as an older state of the file, is judged as that file. A document that was never
   * saved belongs to the first folder.
   */
  place(uri: string): Placed {
    const file = tryPathOfUri(uri);
    const inside = this.#placeIn(file ?? tryPathOfUri(uri.replace(/^[a-z][a-z0-9+.-]*:(\/\/[^/?#]*)?/i, "file://")));
    if (inside !== undefined && file !== undefined) return inside;
    const path = looseNameOf(uri);
    if (inside !== undefined) return { ...inside, path, isFile: false };
    const [first] = file === undefined ? this.#folders.values() : [];
    const isFile = file !== undefined || uri.startsWith("untitled:");
    return { session: first?.session ?? this.#looseSession(), path, judgedAs: path, isFile };
  }

  /** All that are open. */
  get all(): readonly WorkspaceSession[] {
    const sessions = [...this.#folders.values()].map(({ session }) => session);
    return this.#loose === undefined ? sessions : [...sessions, this.#loose];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sessions = this.all;
    this.#folders.clear();
    this.#loose = undefined;
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
  }

  #placeIn(path: string | undefined): Placed | undefined {
    let best: Placed | undefined;
    for (const { given, session } of path === undefined ? [] : this.#folders.values()) {
      for (const root of [given, session.root!]) {
        const inside = tryRelativePath(root, path!);
        if (inside === undefined || inside === "") continue;
        if (best === undefined || inside.length < best.path.length) {
          best = { session, path: inside, judgedAs: inside, isFile: true };
        }
      }
    }
    return best;
  }

  #looseSession(): WorkspaceSession {
    this.#loose ??= this.#options.open(undefined);
    return this.#loose;
  }
}

function looseNameOf(uri: string): string {
  const path = pathInUri(uri).replace(/^\/+/, "");
  return trySecretPath(path) === undefined ? nameOf(path) : path;
}

/** The path with its links resolved; as it is when it leads nowhere, which learning it will say. */
async function realPathOf(path: string, fileSystem: FileSystem): Promise<string> {
  try {
    return await fileSystem.realPath(path);
  } catch (error) {
    if (error instanceof FileSystemError) return path;
    throw error;
  }
}
