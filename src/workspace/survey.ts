import { type FileStat, type FileSystem, FileSystemError, type FolderEntry } from "./file-system.ts";
import { IgnoreTree, type IgnoreVerdict, modelIgnoreFileNames } from "./ignore-tree.ts";
import { type ReadRules, skipByFailure, skipByName, skipByStat, tryKnownLanguage } from "./read-source.ts";
import { isSecretFolder, trySecretPath } from "./secret-path.ts";
import type { LinkRefusal, SkipReason } from "./skip-reason.ts";
import { tryMarkedFolder, tryToolFolder } from "./tool-folder.ts";
import type { RecordedEntry, WalkRecorder } from "./walk-record.ts";
import { comparePaths, folderOf, foldersAbove, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";

/** A file of the workspace that is worth reading, judged without its contents. */
export interface WorkspaceFile {
  readonly kind: "file";
  /** Relative to the root of the workspace, with `/` between names. */
  readonly path: string;
  /** The id of its language, from its name; `plaintext` when no language claims the name. */
  readonly language: string;
  /** In bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A file or a whole folder that is skipped, and why. */
export interface SkippedPath {
  readonly kind: "skipped";
  /** Relative to the root of the workspace; empty for the workspace itself. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** The file system and the rules of a {@link Survey}. */
export interface SurveyOptions extends ReadRules {
  readonly fileSystem: FileSystem;
  /** Whether `A` and `a` are the same name in ignore rules; default: `false`. */
  readonly ignoreCase?: boolean;
  /**
   * The absolute path of the user's own ignore file, git's `core.excludesFile`. Default:
   * {@link FileSystem.excludesFile}.
   */
  readonly excludesFile?: string | undefined;
  /** The paths that git tracks, if known: git's ignore rules do not apply to them. */
  readonly tracked?: ReadonlySet<string> | undefined;
  /**
   * Recalls an earlier walk with the same options, without {@link tracked}, and records this one.
   */
  readonly recorder?: WalkRecorder | undefined;
}

/** A folder that is entered, or a link whose target is not resolved yet. */
export type OpenEntry =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "link"; readonly path: string };

type ListedEntry = WorkspaceFile | SkippedPath | OpenEntry;

/** A file that is worth reading by its name, and whose metadata is not known yet. */
type UnreadFile = Pick<WorkspaceFile, "path" | "language"> & { readonly kind: "unread" };

/** The entries of a folder, in the order of their files' paths; or why the folder is skipped. */
export type FolderListing = { readonly kind: "listing"; readonly entries: readonly ListedEntry[] } | SkippedPath;

/**
 * The target of a link, when it is a file or folder of the workspace that is not listed under its
 * own path; or why the link is skipped.
 */
export type FollowedLink =
  | { readonly kind: "target"; readonly entry: "file" | "folder"; readonly real: string }
  | SkippedPath;

/**
 * Decides, folder by folder, which files of a workspace are read. It reads folders, metadata and
 * ignore files, but no source file.
 */
export class Survey {
  /** The ignore rules of the folders that have been listed. */
  readonly rules: IgnoreTree;
  readonly #root: string;
  readonly #realRoot: string;
  readonly #options: SurveyOptions;
  /** The folders that contain tracked files, at any depth. */
  readonly #trackedFolders: ReadonlySet<string>;
  /** Excluded folders that are entered all the same, because they contain tracked files. */
  readonly #halfOpen = new Set<string>();

  private constructor(rules: IgnoreTree, root: string, realRoot: string, options: SurveyOptions) {
    this.rules = rules;
    this.#root = root;
    this.#realRoot = realRoot;
    this.#options = options;
    this.#trackedFolders = new Set(Array.from(options.tracked ?? [], foldersAbove).flat());
  }

  /**
   * Opens the absolute folder `root`. Rejects with a {@link FileSystemError} when it cannot be
   * listed.
   */
  static async open(root: string, options: SurveyOptions): Promise<Survey> {
    const { fileSystem, ignoreCase = false, excludesFile } = options;
    const realRoot = await fileSystem.realPath(root);
    await fileSystem.readFolder(realRoot);
    const rules = await IgnoreTree.open({ fileSystem, root: realRoot, ignoreCase, excludesFile });
    await options.recorder?.open(rules.outerFiles);
    return new Survey(rules, root, realRoot, options);
  }

  /**
   * Lists the folder at `path`; the folder above it must have been listed before. `real` is the
   * folder's real path, relative to the root, when `path` contains a link: its entries are then
   * judged by both paths.
   *
   * A folder or an entry that cannot be read is `skipped`, with the reason; no
   * {@link FileSystemError} is thrown.
   */
  async list(path: string, real: string = path): Promise<FolderListing> {
    const { fileSystem } = this.#options;
    const refusal = path === "" ? this.#refuseRoot() : undefined;
    if (refusal !== undefined) return { kind: "skipped", path, reason: refusal };
    // A folder behind a link is judged by both of its paths.
    const recorder = real === path ? this.#options.recorder : undefined;
    const recalled = await recorder?.recall(path);
    if (recalled !== undefined)
      return {
        kind: "listing",
        entries: await this.#measureAll(recalled.entries.map((entry) => fromRecorded(path, entry))),
      };
    const changedAtMs = await recorder?.changedAt(path);
    let found: readonly FolderEntry[];
    try {
      found = await fileSystem.readFolder(joinPath(this.#root, path));
    } catch (error) {
      return { kind: "skipped", path, reason: skipByFailure(error) };
    }
    const names = new Set(found.map((entry) => entry.name));
    // The rules of a folder that was recalled are not loaded yet.
    if (path !== "") await this.rules.loadTo(folderOf(path));
    const mark = path === "" || this.#isKept(path) ? undefined : tryMarkedFolder(names);
    if (mark !== undefined) return { kind: "skipped", path, reason: toolFolderReason(path, mark) };
    const ignoreFiles = await recorder?.ignoreFilesOf(path, found);
    await this.rules.load(path, found);
    if (real !== path) await this.rules.loadTo(real);
    const entries = found.map((entry) => {
      const decided = this.#decide(path, entry, names);
      if (real === path || (decided.kind !== "unread" && decided.kind !== "folder")) return decided;
      const reason = this.#refuseRealPath(joinPath(real, entry.name), decided.kind === "folder");
      return reason === undefined ? decided : { kind: "skipped" as const, path: decided.path, reason };
    });
    entries.sort((one, other) => comparePaths(orderOf(one), orderOf(other)));
    recorder?.keep(path, { changedAtMs, ignoreFiles, entries: entries.map(toRecorded) });
    return { kind: "listing", entries: await this.#measureAll(entries) };
  }

  /** The entries with the metadata of the files that are worth reading. */
  async #measureAll(entries: readonly (UnreadFile | SkippedPath | OpenEntry)[]): Promise<ListedEntry[]> {
    const { fileSystem } = this.#options;
    if (fileSystem.statAll === undefined) {
      return await Promise.all(entries.map((entry) => (entry.kind === "unread" ? this.#measure(entry) : entry)));
    }
    const paths: string[] = [];
    for (const entry of entries) if (entry.kind === "unread") paths.push(joinPath(this.#root, entry.path));
    const stats = await fileSystem.statAll(paths);
    let next = 0;
    return entries.map((entry) => (entry.kind === "unread" ? this.#measured(entry, stats[next++]!) : entry));
  }

  /**
   * Why a folder is not entered, by its name, its siblings and the rules that are loaded;
   * `undefined` when it is. An ignored folder with tracked files is entered.
   */
  skipFolder(path: string, siblings: ReadonlySet<string>): SkipReason | undefined {
    if (isSecretFolder(nameOf(path))) return { kind: "secret", by: "folder", detail: nameOf(path) };
    const tool = tryToolFolder({ path, siblings, hasGitRules: this.rules.hasGitRules });
    if (tool !== undefined && (tool.kind === "version-control" || !this.#isKept(path))) {
      return toolFolderReason(path, tool);
    }
    return this.#ignored(path, true);
  }

  /**
   * Resolves the link at `path`.
   *
   * The target is followed when it lies in the workspace and is not listed under its own path
   * because git's rules exclude it; `isListed` answers that for a real path. Not followed are
   * targets outside the root, secrets, third-party code, and what `.emendignore` or
   * `.copilotignore` exclude. A link that cannot be resolved is `skipped`; no
   * {@link FileSystemError} is thrown.
   */
  async follow(path: string, isListed: (real: string) => boolean): Promise<FollowedLink> {
    const refuse = (why: LinkRefusal, target?: string): FollowedLink => ({
      kind: "skipped",
      path,
      reason: target === undefined ? { kind: "link", refusal: why } : { kind: "link", refusal: why, target },
    });
    const { fileSystem } = this.#options;
    try {
      const target = await fileSystem.realPath(joinPath(this.#root, path));
      const real = tryRelativePath(this.#realRoot, target);
      if (real === undefined) return refuse("outside", target);
      if (real === "" || isListed(real)) return refuse("listed", target);
      const { kind } = await fileSystem.stat(target);
      if (kind === "special") return { kind: "skipped", path, reason: { kind } };
      await this.rules.loadTo(folderOf(real));
      await this.rules.loadTo(folderOf(path));
      if (this.#refusesTarget(real, kind === "folder")) return refuse("refused-target", target);
      // Rules for folders only apply to a link that leads to a folder.
      const rule = this.rules.decide(path, kind === "folder", "models");
      if (rule?.excluded === true) return { kind: "skipped", path, reason: { kind: "ignored", rule } };
      return { kind: "target", entry: kind, real };
    } catch (error) {
      if (error instanceof FileSystemError && error.code === "file-missing") return refuse("broken");
      return { kind: "skipped", path, reason: skipByFailure(error) };
    }
  }

  /**
   * The file at `path`, which must be neither a folder nor a link; or why it is skipped, also when
   * it cannot be read. The folder of `path` must have been listed before. No {@link
   * FileSystemError} is thrown.
   */
  async file(path: string): Promise<WorkspaceFile | SkippedPath> {
    const decided = this.#decideFile(path);
    return decided.kind === "skipped" ? decided : this.#measure(decided);
  }

  #decideFile(path: string): UnreadFile | SkippedPath {
    const reason = skipByName(path) ?? this.#ignored(path, false);
    if (reason !== undefined) return { kind: "skipped", path, reason };
    const language = tryKnownLanguage(path);
    if (language === undefined && this.#options.unknownLanguages !== "keep") {
      return { kind: "skipped", path, reason: { kind: "unknown-language" } };
    }
    return { kind: "unread", path, language: language ?? "plaintext" };
  }

  async #measure(file: UnreadFile): Promise<WorkspaceFile | SkippedPath> {
    try {
      return this.#measured(file, await this.#options.fileSystem.stat(joinPath(this.#root, file.path)));
    } catch (error) {
      return { kind: "skipped", path: file.path, reason: skipByFailure(error) };
    }
  }

  #measured({ path, language }: UnreadFile, stat: FileStat | FileSystemError): WorkspaceFile | SkippedPath {
    if (stat instanceof FileSystemError) return { kind: "skipped", path, reason: skipByFailure(stat) };
    const reason = skipByStat(stat, this.#options);
    if (reason !== undefined) return { kind: "skipped", path, reason };
    return { kind: "file", path, language, size: stat.size, mtimeMs: stat.mtimeMs };
  }

  #decide(
    folder: string,
    { name, kind }: FolderEntry,
    siblings: ReadonlySet<string>,
  ): UnreadFile | SkippedPath | OpenEntry {
    const path = joinPath(folder, name);
    switch (kind) {
      case "file":
        return this.#decideFile(path);
      case "folder": {
        const reason = this.skipFolder(path, siblings);
        return reason === undefined ? { kind: "folder", path } : { kind: "skipped", path, reason };
      }
      case "link": {
        const reason = skipByName(path) ?? this.#ignored(path, false);
        return reason === undefined ? { kind: "link", path } : { kind: "skipped", path, reason };
      }
      case "special":
        return { kind: "skipped", path, reason: { kind } };
    }
  }

  /**
   * Why the whole workspace is skipped: it lies in a folder that holds secrets, or its repository
   * ignores it.
   */
  #refuseRoot(): SkipReason | undefined {
    const secret = trySecretPath(this.#realRoot);
    if (secret?.by === "folder") return { kind: "secret", ...secret };
    return this.#refusedBy(this.rules.rootVerdict, "", true);
  }

  #ignored(path: string, isFolder: boolean): SkipReason | undefined {
    const rule = this.#halfOpen.size > 0 ? this.rules.decide(path, isFolder) : this.rules.verdict(path, isFolder);
    return this.#refusedBy(rule, path, isFolder);
  }

  #refusedBy(rule: IgnoreVerdict | undefined, path: string, isFolder: boolean): SkipReason | undefined {
    if (rule?.excluded !== true) return undefined;
    if (this.#options.tracked !== undefined && !modelIgnoreFileNames.some((name) => name === nameOf(rule.file))) {
      if (!isFolder && this.#options.tracked.has(path)) return undefined;
      if (isFolder && this.#trackedFolders.has(path)) {
        this.#halfOpen.add(path);
        return undefined;
      }
    }
    return { kind: "ignored", rule };
  }

  /** Whether a rule of `.emendignore` includes this folder explicitly, whatever it looks like. */
  #isKept(path: string): boolean {
    const rule = this.rules.verdict(path, true);
    return rule?.excluded === false && nameOf(rule.file) === ".emendignore";
  }

  #refusesTarget(real: string, isFolder: boolean): boolean {
    const folders = [...foldersAbove(real).slice(1), ...(isFolder ? [real] : [])];
    if (folders.some((folder) => tryToolFolder({ path: folder, siblings: new Set(), hasGitRules: true }))) return true;
    return this.#refuseRealPath(real, isFolder) !== undefined;
  }

  /**
   * Why the target of a link is skipped, by its real path; the rules of its folders must be loaded.
   */
  #refuseRealPath(real: string, isFolder: boolean): SkipReason | undefined {
    const secret = trySecretPath(real);
    if (secret !== undefined) return { kind: "secret", ...secret };
    const rule = this.rules.decide(real, isFolder, "models");
    return rule?.excluded === true ? { kind: "ignored", rule } : undefined;
  }
}

/**
 * The key by which entries are sorted: a folder sorts by its contents, so `a.ts` precedes the files
 * in `a`.
 */
function orderOf(entry: UnreadFile | SkippedPath | OpenEntry): string {
  return entry.kind === "folder" ? `${entry.path}/` : entry.path;
}

function toRecorded(entry: UnreadFile | SkippedPath | OpenEntry): RecordedEntry {
  const name = nameOf(entry.path);
  switch (entry.kind) {
    case "unread":
      return `${entry.language}/${name}`;
    case "folder":
      return `/${name}`;
    case "link":
      return `@/${name}`;
    case "skipped":
      return [name, entry.reason];
  }
}

function fromRecorded(folder: string, entry: RecordedEntry): UnreadFile | SkippedPath | OpenEntry {
  if (typeof entry !== "string") return { kind: "skipped", path: joinPath(folder, entry[0]), reason: entry[1] };
  const slash = entry.indexOf("/");
  const path = joinPath(folder, entry.slice(slash + 1));
  if (slash === 0) return { kind: "folder", path };
  return entry.startsWith("@/") ? { kind: "link", path } : { kind: "unread", path, language: entry.slice(0, slash) };
}

function toolFolderReason(
  folder: string,
  { kind, detail }: NonNullable<ReturnType<typeof tryMarkedFolder>>,
): SkipReason {
  return kind === "version-control" ? { kind } : { kind, folder, detail };
}
