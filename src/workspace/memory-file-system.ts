import { invariant } from "../text/index.ts";
import {
  type EntryKind,
  type FileStat,
  type FileSystem,
  FileSystemError,
  type FileSystemFailure,
  type FolderEntry,
} from "./file-system.ts";
import { folderOf, joinPath, nameOf } from "./workspace-path.ts";

type Node =
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly mtimeMs: number; locked: boolean }
  | {
      readonly kind: "folder";
      readonly names: Map<string, Node>;
      readonly mtimeMs: number;
      /** When an entry came or went last. */
      ctimeMs: number;
      locked: boolean;
    }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "special"; readonly mtimeMs: number };

/** The most links that are followed on one path before it counts as a loop, as on Linux. */
const maxLinks = 40;

/**
 * A {@link FileSystem} in memory, for tests, for pages in a browser and for speculative edits.
 *
 * Missing folders are created with the files in them. `now` returns the time of changes in
 * milliseconds; 0 by default.
 */
export class MemoryFileSystem implements FileSystem {
  readonly #root: Node & { kind: "folder" };
  readonly #now: () => number;

  constructor(files: Readonly<Record<string, string>> = {}, now: () => number = () => 0) {
    this.#now = now;
    this.#root = { kind: "folder", names: new Map(), mtimeMs: now(), ctimeMs: now(), locked: false };
    for (const [path, text] of Object.entries(files)) this.writeFile(path, text);
  }

  /**
   * Creates or replaces a file; a text is written as UTF-8, an array is not copied. Throws an
   * `InvariantError` when a name above it is not a folder, also when it is a link to one.
   */
  writeFile(path: string, content: string | Uint8Array): void {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    this.#put(path, { kind: "file", bytes, mtimeMs: this.#now(), locked: false });
  }

  /**
   * Creates an empty folder unless it exists. Throws as {@link writeFile} does, also when the last
   * name is not a folder.
   */
  makeFolder(path: string): void {
    this.#folder(path);
  }

  /**
   * Creates a symbolic link or replaces what is at `path`; `target` is absolute, or relative to the
   * folder of the link, and need not exist. Throws as {@link writeFile} does.
   */
  makeLink(path: string, target: string): void {
    this.#put(path, { kind: "link", target });
  }

  /**
   * Creates something that is neither file nor folder, such as a named pipe. Throws as {@link
   * writeFile} does.
   */
  makeSpecial(path: string): void {
    this.#put(path, { kind: "special", mtimeMs: this.#now() });
  }

  /**
   * Removes the permission to read the file or folder at `path`. Throws an `InvariantError` when
   * there is neither.
   */
  lock(path: string): void {
    const node = this.#folder(folderOf(path)).names.get(nameOf(path));
    invariant(node?.kind === "file" || node?.kind === "folder", `nothing to lock at ${path}`);
    node.locked = true;
    if (node.kind === "folder") node.ctimeMs = this.#now();
  }

  /** Removes what is at `path` and everything below it; does nothing when there is none. */
  remove(path: string): void {
    const folder = this.#folder(folderOf(path));
    if (folder.names.delete(nameOf(path))) folder.ctimeMs = this.#now();
  }

  /**
   * Moves `from` to `to` in one step and replaces what is there; the time of change stays. Throws
   * an `InvariantError` when `from` is missing.
   */
  rename(from: string, to: string): void {
    const node = this.#folder(folderOf(from)).names.get(nameOf(from));
    invariant(node !== undefined, `nothing to rename at ${from}`);
    this.remove(from);
    this.#put(to, node);
  }

  /**
   * The bytes of the file at `path`. Links are followed. The array is not a copy.
   *
   * Rejects with a {@link FileSystemError} where there is no such file, it is not a regular file,
   * it or a folder above it is locked, or it has more than `maxBytes` bytes (default: no limit).
   */
  async readFile(path: string, { maxBytes = Infinity }: { readonly maxBytes?: number } = {}): Promise<Uint8Array> {
    const { node } = this.#find(path);
    if (node.kind === "special") throw new FileSystemError("special-file", path);
    if (node.kind !== "file") throw new FileSystemError("not-a-file", path);
    if (node.locked) throw new FileSystemError("no-permission", path);
    if (node.bytes.length > maxBytes) throw new FileSystemError("too-large", path);
    return node.bytes;
  }

  /**
   * The entries of the folder at `path`, in the order of their creation. Rejects with a
   * {@link FileSystemError} where there is no such folder, or it or a folder above it is locked.
   */
  async readFolder(path: string): Promise<readonly FolderEntry[]> {
    const { node } = this.#find(path);
    if (node.kind !== "folder") throw new FileSystemError("not-a-folder", path);
    if (node.locked) throw new FileSystemError("no-permission", path);
    return Array.from(node.names, ([name, child]) => ({ name, kind: child.kind satisfies EntryKind }));
  }

  /**
   * The metadata of what is at `path`; links are followed. The size is in bytes, and 0 unless it is
   * a file. Rejects with a {@link FileSystemError} where there is nothing, a folder above it is
   * locked, or links form a loop.
   */
  async stat(path: string): Promise<FileStat> {
    const { node } = this.#find(path);
    const { kind, mtimeMs } = node;
    const size = kind === "file" ? node.bytes.length : 0;
    return { kind, size, mtimeMs, ctimeMs: kind === "folder" ? node.ctimeMs : mtimeMs };
  }

  /** The absolute path of what is at `path`, with links resolved. Rejects as {@link stat} does. */
  async realPath(path: string): Promise<string> {
    return this.#find(path).path;
  }

  /**
   * The target of the link at `path` as it was given; `undefined` where there is something else.
   * Rejects with a {@link FileSystemError} where there is nothing.
   */
  async readLink(path: string): Promise<string | undefined> {
    const { node } = this.#find(folderOf(path));
    const found = node.kind === "folder" ? node.names.get(nameOf(path)) : undefined;
    if (found === undefined) this.#find(path);
    return found?.kind === "link" ? found.target : undefined;
  }

  #put(path: string, node: Node): void {
    const folder = this.#folder(folderOf(path));
    folder.names.set(nameOf(path), node);
    folder.ctimeMs = this.#now();
  }

  /** The folder at `path`, created when it is missing. Links are not followed. */
  #folder(path: string): Node & { kind: "folder" } {
    let folder = this.#root;
    for (const name of namesOf(path)) {
      let next = folder.names.get(name);
      if (next === undefined) {
        const now = this.#now();
        next = { kind: "folder", names: new Map(), mtimeMs: now, ctimeMs: now, locked: false };
        folder.names.set(name, next);
        folder.ctimeMs = now;
      }
      invariant(next.kind === "folder", `${name} in ${path} is not a folder`);
      folder = next;
    }
    return folder;
  }

  #find(path: string): { readonly path: string; readonly node: Exclude<Node, { kind: "link" }> } {
    const fail = (code: FileSystemFailure) => new FileSystemError(code, path);
    const rest = namesOf(path).reverse();
    const trail: { readonly name: string; readonly node: Node & { kind: "folder" } }[] = [];
    let node: Exclude<Node, { kind: "link" }> = this.#root;
    let name = "";
    let links = 0;
    while (rest.length > 0) {
      if (node.kind !== "folder") throw fail("not-a-folder");
      if (node.locked) throw fail("no-permission");
      const step = rest.pop()!;
      if (step === ".") continue;
      if (step === "..") {
        const above = trail.pop();
        if (above !== undefined) ({ node, name } = above);
        continue;
      }
      const next: Node | undefined = node.names.get(step);
      if (next === undefined) throw fail("file-missing");
      if (next.kind !== "link") {
        trail.push({ name, node });
        node = next;
        name = step;
        continue;
      }
      links += 1;
      if (links > maxLinks) throw fail("link-loop");
      if (next.target.startsWith("/")) {
        trail.length = 0;
        node = this.#root;
        name = "";
      }
      rest.push(...namesOf(next.target).reverse());
    }
    const names = [...trail.map((step) => step.name), name].filter((step) => step !== "");
    return { path: joinPath("/", names.join("/")), node };
  }
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}
