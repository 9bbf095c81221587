import { type FileSystem, FileSystemError, type FolderEntry } from "./file-system.ts";
import { findGitFolder, sharedGitFolder } from "./git-folder.ts";
import { type GitPattern, type GitPatternOptions, gitPathOf, tryParseGitPattern } from "./git-pattern.ts";
import { folderOf, foldersAbove, isWithin, joinPath, nameOf, resolvePath, tryRelativePath } from "./workspace-path.ts";

/**
 * The names of ignore files, by decreasing precedence.
 *
 * Each name is a family of its own: the first family that has a rule about a path decides. So a
 * `!build/` in `.emendignore` includes what a `.gitignore` in any folder excludes.
 */
export const ignoreFileNames = [".emendignore", ".copilotignore", ".gitignore"] as const;

/**
 * The ignore files about what models see, not about what git tracks; the first of
 * {@link ignoreFileNames}.
 */
export const modelIgnoreFileNames = [".emendignore", ".copilotignore"] as const;

/** Which families of ignore files count: all, or only those about what models see. */
export type IgnoreFamilies = "all" | "models";

/** Where the ignore rules of a workspace are read. */
export interface IgnoreTreeOptions {
  readonly fileSystem: FileSystem;
  /** The absolute path of the workspace. */
  readonly root: string;
  /** Whether `A` and `a` are the same name, as by default on Windows and macOS. */
  readonly ignoreCase: boolean;
  /**
   * The absolute path of the user's own ignore file, git's `core.excludesFile`. Default:
   * {@link FileSystem.excludesFile}.
   */
  readonly excludesFile?: string | undefined;
}

/** For each family of {@link ignoreFileNames}, the rules that apply, by decreasing precedence. */
type Rules = readonly (readonly IgnoreRules[])[];

/**
 * The ignore rules of a workspace: nested ignore files, those above it in the same repository,
 * `info/exclude`, and the user's own ignore file.
 *
 * {@link load} and {@link loadTo} read ignore files, parent folders first; verdicts are synchronous
 * and use the folders that are loaded. Law: among untracked files it excludes what
 * `git ls-files --others --exclude-standard` leaves out. Source: gitignore(5).
 */
export class IgnoreTree {
  readonly #options: IgnoreTreeOptions;
  readonly #folders = new Map<string, Rules>();
  #outer: Rules = [[], [], []];
  readonly #rootVerdicts = new Map<IgnoreFamilies, IgnoreVerdict | undefined>();
  /** The rules of the user's own ignore file. */
  #userRules: IgnoreRules | undefined;
  #repository: Repository | undefined;

  private constructor(options: IgnoreTreeOptions) {
    this.#options = options;
  }

  /**
   * Opens the rules of the workspace at the absolute path `root`: reads the ignore files outside
   * it. Those inside are read by {@link load}.
   *
   * A file that cannot be read counts as missing, except an existing file about what models see:
   * that excludes its whole folder.
   */
  static async open(options: IgnoreTreeOptions): Promise<IgnoreTree> {
    const { fileSystem, root } = options;
    const excludesFile = options.excludesFile ?? (await fileSystem.excludesFile?.(root));
    const tree = new IgnoreTree({ ...options, excludesFile });
    tree.#repository = await findRepository(options.fileSystem, options.root);
    tree.#outer = await tree.#readOuter();
    await tree.#decideRoot();
    return tree;
  }

  /**
   * The rule that excludes the workspace itself or a folder of its repository above it; `undefined`
   * when none does.
   */
  get rootVerdict(): IgnoreVerdict | undefined {
    return this.#rootVerdicts.get("all");
  }

  /**
   * Whether git's rules can separate code from build output: the workspace lies in a repository, or
   * its root has a `.gitignore`.
   */
  get hasGitRules(): boolean {
    const git = ignoreFileNames.indexOf(".gitignore");
    const rules = (this.#folders.get("") ?? this.#outer)[git]!;
    // The user's own ignore file does not count: it is about all workspaces.
    return this.#repository !== undefined || rules.some((one) => one !== this.#userRules);
  }

  /**
   * The absolute paths of ignore files outside the workspace or in its `.git`; a change of one
   * changes verdicts.
   */
  get outerFiles(): readonly string[] {
    const { excludesFile } = this.#options;
    const own = excludesFile === undefined ? [] : [excludesFile];
    if (this.#repository === undefined) return own;
    const above = this.#repository.above.flatMap((folder) => ignoreFileNames.map((name) => joinPath(folder, name)));
    return [...above, this.#repository.excludeFile, ...own];
  }

  /**
   * Reads the ignore files of `folder`, whose entries are `entries`; a link is no ignore file. The
   * folder above it must be loaded. A file about what models see that cannot be read excludes the
   * whole folder.
   */
  async load(folder: string, entries: readonly FolderEntry[]): Promise<void> {
    const above = folder === "" ? this.#outer : (this.#folders.get(folderOf(folder)) ?? this.#outer);
    // Like git, do not follow an ignore file that is a link: it could lead out of the workspace.
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

  /**
   * Reads the ignore files of `folder` and of all folders above it that are not loaded. A folder
   * that cannot be read has none.
   */
  async loadTo(folder: string): Promise<void> {
    for (const one of [...foldersAbove(folder), folder]) {
      if (this.#folders.has(one)) continue;
      const { fileSystem, root } = this.#options;
      await this.load(one, (await fileSystem.readFolder(joinPath(root, one)).catch(orMissing)) ?? []);
    }
  }

  /** Removes `folder` and everything below it from the loaded folders. */
  forget(folder: string): void {
    for (const known of this.#folders.keys()) {
      if (isWithin(known, folder)) this.#folders.delete(known);
    }
  }

  /**
   * The rule about `path` itself, which may also include it again, or `undefined` when none
   * matches; excluded folders above it are not considered. Where the folder of `path` is not
   * loaded, the rules of the nearest loaded folder above it apply.
   */
  verdict(path: string, isFolder: boolean, families: IgnoreFamilies = "all"): IgnoreVerdict | undefined {
    let folder = folderOf(path);
    while (folder !== "" && !this.#folders.has(folder)) folder = folderOf(folder);
    const rulesByFamily = this.#folders.get(folder) ?? this.#outer;
    for (const family of families === "all" ? rulesByFamily : rulesByFamily.slice(0, modelIgnoreFileNames.length)) {
      for (const rules of family) {
        const verdict = rules.verdict(path, isFolder);
        if (verdict !== undefined) return verdict;
      }
    }
    return undefined;
  }

  /**
   * The rule that decides about `path`: the one that excludes the first excluded folder above it,
   * or else the rule about `path` itself, which may include it again; `undefined` when none
   * matches. What lies in an excluded folder cannot be included again; the workspace itself may be
   * such a folder.
   */
  decide(path: string, isFolder: boolean, families: IgnoreFamilies = "all"): IgnoreVerdict | undefined {
    const ofRoot = this.#rootVerdicts.get(families);
    if (ofRoot !== undefined) return ofRoot;
    for (const folder of foldersAbove(path).slice(1)) {
      const verdict = this.verdict(folder, true, families);
      if (verdict?.excluded === true) return verdict;
    }
    return this.verdict(path, isFolder, families);
  }

  async #readOuter(): Promise<Rules> {
    const { root, excludesFile } = this.#options;
    const outer: IgnoreRules[][] = [[], [], []];
    const take = async (family: number, path: string, top: string) => {
      const above = root.slice(joinPath(top, "x").length - 1);
      const rules = await this.#read(path, { above });
      if (rules !== undefined) outer[family]!.push(rules);
      return rules;
    };
    for (const folder of this.#repository?.above ?? []) {
      for (const [family, name] of ignoreFileNames.entries()) await take(family, joinPath(folder, name), folder);
    }
    const git = ignoreFileNames.indexOf(".gitignore");
    const top = this.#repository?.top ?? root;
    if (this.#repository !== undefined) await take(git, this.#repository.excludeFile, top);
    if (excludesFile !== undefined) this.#userRules = await take(git, excludesFile, top);
    return outer;
  }

  async #decideRoot(): Promise<void> {
    const { top, above = [] } = this.#repository ?? {};
    if (top === undefined || above.length === 0) return;
    const tree = await IgnoreTree.open({ ...this.#options, root: top });
    const path = tryRelativePath(top, this.#options.root)!;
    await tree.loadTo(folderOf(path));
    for (const families of ["all", "models"] as const) {
      const verdict = tree.decide(path, true, families);
      if (verdict?.excluded !== true) continue;
      this.#rootVerdicts.set(families, { ...verdict, file: resolvePath(top, verdict.file) });
    }
  }

  /**
   * The rules of the file at `path`; `undefined` when it is missing or empty, and for git's files
   * also when it is unreadable, as in git. An unreadable file about what models see excludes all
   * files of its folder: which of them it names is unknown.
   */
  async #read(
    path: string,
    place: { readonly folder?: string; readonly above?: string },
  ): Promise<IgnoreRules | undefined> {
    const { fileSystem, root, ignoreCase } = this.#options;
    const options = { file: path, ignoreCase, ...place };
    try {
      const bytes = await readIgnoreFile(fileSystem, place.folder === undefined ? path : joinPath(root, path));
      const rules = IgnoreRules.parse(new TextDecoder("utf-8").decode(bytes), options);
      return rules.isEmpty ? undefined : rules;
    } catch (error) {
      if (!(error instanceof FileSystemError)) throw error;
      const isAboutModels = modelIgnoreFileNames.some((name) => name === nameOf(path));
      return isAboutModels && !absent.has(error.code) ? IgnoreRules.excludeAll(options) : undefined;
    }
  }
}

/** The position of a workspace in its git repository. */
interface Repository {
  /** The folder that contains `.git`. */
  readonly top: string;
  /**
   * The folders above the workspace up to `top`, the nearest first; empty when the workspace is the
   * top.
   */
  readonly above: readonly string[];
  /** Git's `info/exclude`. */
  readonly excludeFile: string;
}

async function findRepository(fileSystem: FileSystem, root: string): Promise<Repository | undefined> {
  const above: string[] = [];
  for (let top = root; ; ) {
    const gitFolder = await findGitFolder(top, fileSystem);
    if (gitFolder !== undefined)
      return { top, above, excludeFile: joinPath(await sharedGitFolder(gitFolder, fileSystem), "info/exclude") };
    const next = folderOf(top) === "" ? "/" : folderOf(top);
    if (next === top || nameOf(top) === "" || !top.includes("/")) return undefined;
    top = next;
    above.push(top);
  }
}

/** Git's `PATTERN_MAX_FILE_SIZE` (dir.c): git also skips larger ignore files. */
const maxIgnoreBytes = 100 * 1024 * 1024;

function readIgnoreFile(fileSystem: FileSystem, path: string): Promise<Uint8Array> {
  return fileSystem.readFile(path, { maxBytes: maxIgnoreBytes });
}

/** The failures that mean that there is no ignore file. */
const absent: ReadonlySet<string> = new Set(["file-missing", "not-a-file", "not-a-folder"]);

function orMissing(error: unknown): undefined {
  if (error instanceof FileSystemError) return undefined;
  throw error;
}

/** The line of an ignore file that decides about a path. */
export interface IgnoreVerdict {
  /** Whether the line excludes the path; `false` when it includes it again with a `!`. */
  readonly excluded: boolean;
  /** The ignore file, relative to the root of the workspace, or absolute when it lies outside. */
  readonly file: string;
  /** The line's number, from 1. */
  readonly lineNumber: number;
  /** The line as it is written. */
  readonly pattern: string;
}

/** How {@link IgnoreRules.parse} reads an ignore file. */
interface IgnoreRulesOptions extends GitPatternOptions {
  /** The name of the ignore file that verdicts contain. */
  readonly file: string;
  /**
   * The folder that the patterns are relative to, as a path in the workspace; the root by default.
   */
  readonly folder?: string;
  /**
   * For an ignore file above the workspace: the path from the file's folder down to the workspace.
   */
  readonly above?: string;
}

interface Rule {
  readonly pattern: GitPattern;
  readonly verdict: IgnoreVerdict;
}

/** The rules of one ignore file, in order. */
class IgnoreRules {
  readonly #rules: readonly Rule[];
  readonly #options: GitPatternOptions;
  readonly #folder: string;
  readonly #above: string;

  private constructor(rules: readonly Rule[], options: Omit<IgnoreRulesOptions, "file">) {
    const { folder = "", above = "" } = options;
    this.#rules = rules;
    this.#options = options;
    this.#folder = folder === "" ? "" : `${folder}/`;
    this.#above = above === "" ? "" : `${above}/`;
  }

  /** Parses the text of an ignore file. Never fails: an invalid line matches nothing. */
  static parse(text: string, options: IgnoreRulesOptions): IgnoreRules {
    const { file } = options;
    const lines = text.replace(/^\uFEFF/, "").split("\n");
    const rules = lines.flatMap((line, index) => {
      // Git cuts a line at a NUL; a carriage return belongs to the line end.
      const written = line.replace(/\r$/, "").split("\0", 1)[0]!;
      const pattern = tryParseGitPattern(written, options);
      if (pattern === undefined) return [];
      const verdict = { excluded: !pattern.negated, file, lineNumber: index + 1, pattern: written };
      return [{ pattern, verdict }];
    });
    return new IgnoreRules(rules, options);
  }

  /** The rules of a file that cannot be read: all paths below its folder are excluded. */
  static excludeAll(options: IgnoreRulesOptions): IgnoreRules {
    const all = IgnoreRules.parse("*", options);
    const rules = all.#rules.map(({ pattern, verdict }) => {
      return {
        pattern,
        verdict: { ...verdict, pattern: "(the file cannot be read, so it excludes its whole folder)" },
      };
    });
    return new IgnoreRules(rules, options);
  }

  /** Whether the file has no rule. */
  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /**
   * The last rule that matches `path`, or `undefined` when none does.
   *
   * Only the path itself is matched. A path below an excluded folder is excluded too; the caller
   * has to check the folders above.
   */
  verdict(path: string, isFolder: boolean): IgnoreVerdict | undefined {
    if (this.isEmpty || !path.startsWith(this.#folder)) return undefined;
    const pathFromRules = gitPathOf(this.#above + path.slice(this.#folder.length), this.#options);
    for (let i = this.#rules.length - 1; i >= 0; i -= 1) {
      const rule = this.#rules[i]!;
      if ((isFolder || !rule.pattern.foldersOnly) && rule.pattern.matches(pathFromRules)) return rule.verdict;
    }
    return undefined;
  }
}
