import { type FileSystem, FileSystemError, type FolderEntry } from "./file-system.ts";
import { IgnoreRules, type IgnoreVerdict } from "./ignore-rules.ts";
import { folderOf, foldersAbove, isWithin, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";

/**
 * The names of ignore files, the one with the last word first.
 *
 * Each is a family of its own: whether a path is excluded is the word of the first family that has a rule about it. So a
 * `!build/` in `.emendignore` brings back what `.gitignore` excludes, in whatever folders the two files lie.
 */
export const ignoreFileNames = [".emendignore", ".copilotignore", ".gitignore"] as const;

/** What the ignore rules of a workspace start from. */
export interface IgnoreTreeOptions {
  readonly fileSystem: FileSystem;
  /** The absolute path of the workspace. */
  readonly root: string;
  /** Whether `A` and `a` are one name, as on the usual disks of Windows and macOS. */
  readonly ignoreCase: boolean;
  /** The absolute path of the person's own ignore file, git's `core.excludesFile`. */
  readonly excludesFile?: string | undefined;
}

/** For each family of {@link ignoreFileNames}, the rules in force, the ones with the last word first. */
type Rules = readonly (readonly IgnoreRules[])[];

/**
 * The ignore rules of a workspace: nested files, those above it in the same repository, and `info/exclude`.
 *
 * It knows the folders that were loaded, each after the one above it, and answers at once from what it knows.
 * Law: among untracked files it excludes what `git ls-files --others --exclude-standard` leaves out.
 * Source: gitignore(5).
 */
export class IgnoreTree {
  readonly #options: IgnoreTreeOptions;
  readonly #folders = new Map<string, Rules>();
  #outer: Rules = [[], [], []];
  #rootVerdict: IgnoreVerdict | undefined;
  #repository: Repository | undefined;

  private constructor(options: IgnoreTreeOptions) {
    this.#options = options;
  }

  /** Reads the rules from outside the workspace; those inside are read by {@link load}. */
  static async open(options: IgnoreTreeOptions): Promise<IgnoreTree> {
    const tree = new IgnoreTree(options);
    tree.#repository = await findRepository(options.fileSystem, options.root);
    tree.#outer = await tree.#readOuter();
    tree.#rootVerdict = await tree.#judgeRoot();
    return tree;
  }

  /** The rule by which the workspace itself is excluded, or a folder of its repository that it lies in. */
  get rootVerdict(): IgnoreVerdict | undefined {
    return this.#rootVerdict;
  }

  /** Whether git's rules tell code from output here: the workspace lies in a repository, or its root has a `.gitignore`. */
  get hasGitRules(): boolean {
    const git = ignoreFileNames.indexOf(".gitignore");
    return this.#repository !== undefined || (this.#folders.get("") ?? this.#outer)[git]!.length > 0;
  }

  /** The absolute paths outside the workspace's own tree, or in its `.git`, whose change changes the answers. */
  get outerFiles(): readonly string[] {
    const { excludesFile } = this.#options;
    const own = excludesFile === undefined ? [] : [excludesFile];
    if (this.#repository === undefined) return own;
    const above = this.#repository.above.flatMap((folder) => ignoreFileNames.map((name) => joinPath(folder, name)));
    return [...above, this.#repository.excludeFile, ...own];
  }

  /** Takes up the ignore files of `folder`, whose names are `entries`. The folder above it must be known. */
  async load(folder: string, entries: readonly FolderEntry[]): Promise<void> {
    const above = folder === "" ? this.#outer : (this.#folders.get(folderOf(folder)) ?? this.#outer);
    // Git does not follow an ignore file that is a link, and so it cannot be led out of the workspace.
    const present = ignoreFileNames.map((name) =>
      entries.some((entry) => entry.name === name && entry.kind === "file"),
    );
    if (!present.includes(true)) {
      this.#folders.set(folder, above);
      return;
    }
    const rules = await Promise.all(
      ignoreFileNames.map(async (name, family) => {
        if (!present[family]) return above[family]!;
        const own = await this.#read(joinPath(folder, name), { folder });
        return own === undefined ? above[family]! : [own, ...above[family]!];
      }),
    );
    this.#folders.set(folder, rules);
  }

  /** Forgets `folder` and everything below it, to be loaded anew. */
  forget(folder: string): void {
    for (const known of this.#folders.keys()) {
      if (isWithin(known, folder)) this.#folders.delete(known);
    }
  }

  /** The rule about `path` itself, if any; a folder above that is excluded is not looked at. */
  verdict(path: string, isFolder: boolean): IgnoreVerdict | undefined {
    let folder = folderOf(path);
    while (folder !== "" && !this.#folders.has(folder)) folder = folderOf(folder);
    const families = this.#folders.get(folder) ?? this.#outer;
    for (const family of families) {
      for (const rules of family) {
        const verdict = rules.verdict(path, isFolder);
        if (verdict !== undefined) return verdict;
      }
    }
    return undefined;
  }

  /**
   * The rule that decides about `path`: the one that excludes the first excluded folder above it, or else its own.
   * What lies in an excluded folder cannot be taken back, and the workspace itself may be one.
   */
  decide(path: string, isFolder: boolean): IgnoreVerdict | undefined {
    if (this.#rootVerdict !== undefined) return this.#rootVerdict;
    for (const folder of foldersAbove(path).slice(1)) {
      const verdict = this.verdict(folder, true);
      if (verdict?.excluded === true) return verdict;
    }
    return this.verdict(path, isFolder);
  }

  async #readOuter(): Promise<Rules> {
    const { root, excludesFile } = this.#options;
    const outer: IgnoreRules[][] = [[], [], []];
    const take = async (family: number, path: string, top: string) => {
      const above = root.slice(joinPath(top, "x").length - 1);
      const rules = await this.#read(path, { above });
      if (rules !== undefined) outer[family]!.push(rules);
    };
    for (const folder of this.#repository?.above ?? []) {
      for (const [family, name] of ignoreFileNames.entries()) await take(family, joinPath(folder, name), folder);
    }
    const git = ignoreFileNames.indexOf(".gitignore");
    const top = this.#repository?.top ?? root;
    if (this.#repository !== undefined) await take(git, this.#repository.excludeFile, top);
    if (excludesFile !== undefined) await take(git, excludesFile, top);
    return outer;
  }

  async #judgeRoot(): Promise<IgnoreVerdict | undefined> {
    const { top, above = [] } = this.#repository ?? {};
    if (top === undefined || above.length === 0) return undefined;
    const { fileSystem, root } = this.#options;
    const tree = await IgnoreTree.open({ ...this.#options, root: top });
    const path = tryRelativePath(top, root)!;
    for (const folder of foldersAbove(path)) {
      const entries = await fileSystem.readFolder(joinPath(top, folder)).catch(orMissing);
      await tree.load(folder, entries ?? []);
    }
    const verdict = tree.decide(path, true);
    if (verdict?.excluded !== true) return undefined;
    return { ...verdict, file: resolvePath(top, verdict.file) };
  }

  /** The rules of the file at `path`; none where it is missing or may not be read, which is what git does. */
  async #read(
    path: string,
    place: { readonly folder?: string; readonly above?: string },
  ): Promise<IgnoreRules | undefined> {
    const { fileSystem, root, ignoreCase } = this.#options;
    const bytes = await tryRead(fileSystem, place.folder === undefined ? path : joinPath(root, path));
    if (bytes === undefined) return undefined;
    const rules = IgnoreRules.parse(new TextDecoder("utf-8").decode(bytes), { file: path, ignoreCase, ...place });
    return rules.isEmpty ? undefined : rules;
  }
}

/** Where a workspace stands in its repository. */
interface Repository {
  /** The folder that holds `.git`. */
  readonly top: string;
  /** The folders above the workspace up to `top`, the nearest first; empty when the workspace is the top. */
  readonly above: readonly string[];
  /** Git's `info/exclude`. */
  readonly excludeFile: string;
}

async function findRepository(fileSystem: FileSystem, root: string): Promise<Repository | undefined> {
  const above: string[] = [];
  for (let top = root; ; ) {
    const gitFolder = await findGitFolder(fileSystem, joinPath(top, ".git"));
    if (gitFolder !== undefined) return { top, above, excludeFile: joinPath(gitFolder, "info/exclude") };
    const next = folderOf(top) === "" ? "/" : folderOf(top);
    if (next === top || nameOf(top) === "" || !top.includes("/")) return undefined;
    top = next;
    above.push(top);
  }
}

/** The folder with the repository's `info`: of a second work tree, whose `.git` is a file, that of the first. */
async function findGitFolder(fileSystem: FileSystem, path: string): Promise<string | undefined> {
  const stat = await fileSystem.stat(path).catch(orMissing);
  if (stat === undefined || stat.kind === "folder") return stat && path;
  const link = /^gitdir: (.+)$/m.exec(await readText(fileSystem, path))?.[1]?.trim();
  if (link === undefined) return undefined;
  const gitFolder = resolvePath(folderOf(path), link);
  const common = (await readText(fileSystem, joinPath(gitFolder, "commondir"))).trim();
  return common === "" ? gitFolder : resolvePath(gitFolder, common);
}

function resolvePath(folder: string, path: string): string {
  const portable = path.replaceAll("\\", "/");
  return /^(\/|[A-Za-z]:)/.test(portable) ? portable : joinPath(folder, portable);
}

async function readText(fileSystem: FileSystem, path: string): Promise<string> {
  const bytes = await tryRead(fileSystem, path);
  return bytes === undefined ? "" : new TextDecoder("utf-8").decode(bytes);
}

function tryRead(fileSystem: FileSystem, path: string): Promise<Uint8Array | undefined> {
  return fileSystem.readFile(path).catch(orMissing);
}

function orMissing(error: unknown): undefined {
  if (error instanceof FileSystemError) return undefined;
  throw error;
}
