import { type FileSystem, FileSystemError, type FolderEntry } from "./file-system.ts";
import type { IgnoreVerdict } from "./ignore-rules.ts";
import { IgnoreTree } from "./ignore-tree.ts";
import { tryKnownLanguage } from "./known-language.ts";
import { type ReadRules, skipByFailure, skipByName, skipByStat } from "./read-source.ts";
import { isSecretFolder, trySecretPath } from "./secret-path.ts";
import type { LinkRefusal, SkipReason } from "./skip-reason.ts";
import { tryMarkedFolder, tryToolFolder } from "./tool-folder.ts";
import { comparePaths, foldersAbove, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";

/** A file that is worth reading, as far as that can be told without reading it. */
export interface WorkspaceFile {
  readonly kind: "file";
  /** Relative to the root of the workspace, with `/` between names. */
  readonly path: string;
  /** The id of its language, told by its name; plain text when nothing claims it. */
  readonly language: string;
  /** Bytes. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** A file or a whole folder that is left out, and why. */
export interface SkippedPath {
  readonly kind: "skipped";
  /** As that of a file; empty for the workspace as a whole. */
  readonly path: string;
  readonly reason: SkipReason;
}

/** Which disk is surveyed, and by which rules. */
export interface SurveyOptions extends ReadRules {
  readonly fileSystem: FileSystem;
  /** Whether `A` and `a` are one name in ignore rules; they are two unless told. */
  readonly ignoreCase?: boolean;
  /** The absolute path of the person's own ignore file, git's `core.excludesFile`. */
  readonly excludesFile?: string | undefined;
  /** The paths that git tracks, if they are known: its rules say nothing about them. */
  readonly tracked?: ReadonlySet<string> | undefined;
}

/** A folder that is entered, or a link whose end is not yet known. */
export type OpenEntry =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "link"; readonly path: string };

/** What a folder holds, sorted as its files' paths are; or why it is not entered after all. */
export type FolderListing =
  | { readonly kind: "listing"; readonly entries: readonly (WorkspaceFile | SkippedPath | OpenEntry)[] }
  | SkippedPath;

/** Where a link leads: a file or folder of the workspace that has no path of its own there, or nowhere. */
export type FollowedLink =
  | { readonly kind: "target"; readonly entry: "file" | "folder"; readonly real: string }
  | SkippedPath;

/** Decides, folder by folder, what of a workspace is read. Content is never looked at. */
export class Survey {
  /** The ignore rules of the folders listed so far. */
  readonly rules: IgnoreTree;
  readonly #root: string;
  readonly #realRoot: string;
  readonly #options: SurveyOptions;
  /** The folders that hold tracked files, at any depth. */
  readonly #trackedFolders: ReadonlySet<string>;
  /** Excluded folders that are entered all the same, for the tracked files in them. */
  readonly #halfOpen = new Set<string>();

  private constructor(rules: IgnoreTree, root: string, realRoot: string, options: SurveyOptions) {
    this.rules = rules;
    this.#root = root;
    this.#realRoot = realRoot;
    this.#options = options;
    this.#trackedFolders = new Set(Array.from(options.tracked ?? [], foldersAbove).flat());
  }

  /** Opens the absolute folder `root`; rejects with a {@link FileSystemError} when it cannot be listed. */
  static async open(root: string, options: SurveyOptions): Promise<Survey> {
    const { fileSystem, ignoreCase = false, excludesFile } = options;
    const realRoot = await fileSystem.realPath(root);
    await fileSystem.readFolder(realRoot);
    const rules = await IgnoreTree.open({ fileSystem, root: realRoot, ignoreCase, excludesFile });
    return new Survey(rules, root, realRoot, options);
  }

  /**
   * Lists the folder at `path`; the one above it must have been listed before.
   */
  async list(path: string): Promise<FolderListing> {
    const { fileSystem } = this.#options;
    const refusal = path === "" ? this.#refuseRoot() : undefined;
    if (refusal !== undefined) return { kind: "skipped", path, reason: refusal };
    let found: readonly FolderEntry[];
    try {
      found = await fileSystem.readFolder(joinPath(this.#root, path));
    } catch (error) {
      return { kind: "skipped", path, reason: skipByFailure(error) };
    }
    const names = new Set(found.map((entry) => entry.name));
    const mark = path === "" || this.#isKept(path) ? undefined : tryMarkedFolder(names);
    if (mark !== undefined) return { kind: "skipped", path, reason: toolFolderReason(path, mark) };
    await this.rules.load(path, found);
    const entries = await Promise.all(found.map((entry) => this.#decide(path, entry, names)));
    return { kind: "listing", entries: entries.sort((one, other) => comparePaths(orderOf(one), orderOf(other))) };
  }

  /** Why a folder is not entered, as far as its name, its neighbours and the rules known so far tell. */
  skipFolder(path: string, siblings: ReadonlySet<string>): SkipReason | undefined {
    if (isSecretFolder(nameOf(path))) return { kind: "secret", by: "folder", detail: nameOf(path) };
    const tool = tryToolFolder({ path, siblings, hasGitRules: this.rules.hasGitRules });
    if (tool !== undefined && (tool.kind === "version-control" || !this.#isKept(path))) {
      return toolFolderReason(path, tool);
    }
    return this.#ignored(path, true);
  }

  /**
   * Finds out where the link at `path` leads.
   *
   * It is followed to what lies in the workspace but is listed under no path of its own, because git's rules exclude
   * it; `isListed` tells that by real path. Secrets, other people's code and what `.emendignore` or `.copilotignore`
   * exclude are not reached this way, and neither is anything outside the root.
   */
  async follow(path: string, isListed: (real: string) => boolean): Promise<FollowedLink> {
    const refuse = (why: LinkRefusal, target?: string): FollowedLink => ({
      kind: "skipped",
      path,
      reason: target === undefined ? { kind: "link", why } : { kind: "link", why, target },
    });
    const { fileSystem } = this.#options;
    try {
      const target = await fileSystem.realPath(joinPath(this.#root, path));
      const real = tryRelativePath(this.#realRoot, target);
      if (real === undefined) return refuse("outside", target);
      if (real === "" || isListed(real)) return refuse("listed", target);
      const { kind } = await fileSystem.stat(target);
      if (kind === "special") return { kind: "skipped", path, reason: { kind } };
      if (this.#refusesTarget(real, kind === "folder")) return refuse("refused-target", target);
      return { kind: "target", entry: kind, real };
    } catch (error) {
      if (error instanceof FileSystemError && error.code === "file-missing") return refuse("broken");
      return { kind: "skipped", path, reason: skipByFailure(error) };
    }
  }

  /** The file at `path`, which is no folder and no link. */
  async file(path: string): Promise<WorkspaceFile | SkippedPath> {
    const skip = (reason: SkipReason): SkippedPath => ({ kind: "skipped", path, reason });
    const { fileSystem, unknownLanguages = "skip" } = this.#options;
    const reason = skipByName(path) ?? this.#ignored(path, false);
    if (reason !== undefined) return skip(reason);
    const language = tryKnownLanguage(path);
    if (language === undefined && unknownLanguages === "skip") return skip({ kind: "unknown-language" });
    try {
      const stat = await fileSystem.stat(joinPath(this.#root, path));
      const byStat = skipByStat(stat, this.#options);
      if (byStat !== undefined) return skip(byStat);
      return { kind: "file", path, language: language ?? "plaintext", size: stat.size, mtimeMs: stat.mtimeMs };
    } catch (error) {
      return skip(skipByFailure(error));
    }
  }

  async #decide(
    folder: string,
    { name, kind }: FolderEntry,
    siblings: ReadonlySet<string>,
  ): Promise<WorkspaceFile | SkippedPath | OpenEntry> {
    const path = joinPath(folder, name);
    switch (kind) {
      case "file":
        return this.file(path);
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

  /** Why nothing of the workspace is read, where it lies in a folder of secrets or one that its repository ignores. */
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
    if (this.#options.tracked !== undefined && !ownFileNames.includes(nameOf(rule.file))) {
      if (!isFolder && this.#options.tracked.has(path)) return undefined;
      if (isFolder && this.#trackedFolders.has(path)) {
        this.#halfOpen.add(path);
        return undefined;
      }
    }
    return { kind: "ignored", rule };
  }

  /** Whether a person has said that this folder is to be read, whatever it looks like. */
  #isKept(path: string): boolean {
    const rule = this.rules.verdict(path, true);
    return rule?.excluded === false && nameOf(rule.file) === ".emendignore";
  }

  #refusesTarget(real: string, isFolder: boolean): boolean {
    if (trySecretPath(real) !== undefined) return true;
    const folders = [...foldersAbove(real).slice(1), ...(isFolder ? [real] : [])];
    if (folders.some((folder) => tryToolFolder({ path: folder, siblings: new Set(), hasGitRules: true }))) return true;
    const rule = this.rules.decide(real, isFolder);
    return rule?.excluded === true && ownFileNames.includes(nameOf(rule.file));
  }
}

/** The ignore files that are about reading, and not about what git should keep. */
const ownFileNames = [".emendignore", ".copilotignore"];

/** The path, or where its contents stand among other paths: `a.ts` comes before what is in `a`. */
function orderOf(entry: WorkspaceFile | SkippedPath | OpenEntry): string {
  return entry.kind === "folder" ? `${entry.path}/` : entry.path;
}

function toolFolderReason(
  folder: string,
  { kind, detail }: NonNullable<ReturnType<typeof tryMarkedFolder>>,
): SkipReason {
  return kind === "version-control" ? { kind } : { kind, folder, detail };
}
