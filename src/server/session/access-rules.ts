import {
  type FileSystem,
  FileSystemError,
  type FolderEntry,
  folderOf,
  IgnoreTree,
  joinPath,
  trySecretPath,
} from "../../codebase/index.ts";
import type { AccessVerdict } from "../../complete/index.ts";

/** Which disk, and where the workspace lies on it. */
export interface AccessRulesOptions {
  readonly fileSystem: FileSystem;
  /** The absolute folder of the workspace, links resolved; `undefined` for files that lie in none. */
  readonly root: string | undefined;
}

/**
 * Whether a file that a person has open may be looked at: not if it keeps secrets, nor if an ignore file excludes it, or
 * the workspace as a whole.
 *
 * Ignore files are read folder by folder as {@link prepare} is called; {@link verdict} answers at once from what was
 * read. The file itself need not be on the disk.
 */
export class AccessRules {
  readonly #options: AccessRulesOptions;
  #tree: Promise<IgnoreTree> | undefined;
  #loaded: IgnoreTree | undefined;
  readonly #folders = new Map<string, Promise<void>>();

  constructor(options: AccessRulesOptions) {
    this.#options = options;
  }

  /** Reads the ignore files that have a say about the file at `path`. A folder that cannot be read has none. */
  async prepare(path: string): Promise<void> {
    const { root } = this.#options;
    if (root === undefined) return;
    for (let tree: Promise<IgnoreTree> | undefined; tree === undefined || tree !== this.#tree; ) {
      const preparing = this.#prepareFolder(folderOf(path), root);
      tree = this.#tree;
      await preparing;
    }
  }

  /** The word about the file at `path`, from what was prepared. */
  verdict(path: string): AccessVerdict {
    const { root = "" } = this.#options;
    if (trySecretPath(joinPath(root, path)) !== undefined) return { kind: "secret" };
    const rule = this.#loaded?.decide(path, false);
    if (rule?.excluded !== true) return { kind: "allowed" };
    return { kind: "ignored", by: `${rule.file}:${rule.lineNumber}: ${rule.pattern}` };
  }

  /**
   * Forgets what was read, because an ignore file has changed. What is asked next has to be prepared again; until then
   * the old rules hold.
   */
  forget(): void {
    this.#tree = undefined;
    this.#folders.clear();
  }

  #prepareFolder(folder: string, root: string): Promise<void> {
    const known = this.#folders.get(folder);
    if (known !== undefined) return known;
    const loading = this.#load(folder, root);
    this.#folders.set(folder, loading);
    // A failure is told to whoever waits, and tried again for whoever asks next.
    loading.catch(() => this.#folders.delete(folder));
    return loading;
  }

  async #load(folder: string, root: string): Promise<void> {
    const { fileSystem } = this.#options;
    this.#tree ??= IgnoreTree.open({ fileSystem, root, ignoreCase: false });
    const opening = this.#tree;
    // A tree wants the folder above first.
    if (folder !== "") await this.#prepareFolder(folderOf(folder), root);
    const tree = await opening;
    await tree.load(folder, await entriesOf(joinPath(root, folder), fileSystem));
    // The rules may have been forgotten meanwhile.
    if (opening === this.#tree) this.#loaded = tree;
  }
}

async function entriesOf(folder: string, fileSystem: FileSystem): Promise<readonly FolderEntry[]> {
  try {
    return await fileSystem.readFolder(folder);
  } catch (error) {
    if (error instanceof FileSystemError) return [];
    throw error;
  }
}
