import { lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import type { AbortOptions } from "../../async/index.ts";
import { type EditToWrite, type WriteOutcome, writeWorkspaceEdit } from "../../edit/node/index.ts";
import { EmendError } from "../../text/index.ts";
import { folderOf, joinPath, type SkippedPath, tryRelativePath, walkWorkspace } from "../../workspace/index.ts";
import {
  addWorktree,
  disk,
  type GitAnswer,
  type GitOptions,
  gitClone,
  gitFiles,
  gitFolderKind,
  gitRoot,
  gitSubmodules,
  toPortablePath,
} from "../../workspace/node/index.ts";
import { type CopiedFiles, copyFiles, type LeftOutPath, restoreFiles } from "./copy-files.ts";
import { linkDependencies, pythonSearchPath } from "./link-dependencies.ts";
import { type ScratchChanges, scratchChanges } from "./scratch-changes.ts";
import { leavePlace, removeLeftovers, takePlace } from "./scratch-owner.ts";

/** Where scratch copies are made, and their limits. */
export interface ScratchOptions {
  /**
   * The absolute folder for all scratch copies, in the user's cache folder; created when it is
   * missing.
   */
  readonly folder: string;
  /** The most files that are copied; more are refused. Default: 200,000. */
  readonly maxFiles?: number;
  /** The limit in bytes for a file; larger ones are left out. Default: 256 MB. */
  readonly maxFileBytes?: number;
  /**
   * Files and folders that are copied although git ignores them, such as generated sources;
   * relative to the root.
   */
  readonly include?: readonly string[];
  readonly git?: Omit<GitOptions, "signal">;
  readonly signal?: AbortSignal | undefined;
}

/** A scratch copy, or why there is none. `message` is for people. */
export type ScratchAnswer =
  | { readonly kind: "open"; readonly copy: ScratchCopy }
  | { readonly kind: "refused"; readonly reason: ScratchRefusal; readonly message: string };

/**
 * Why there is no scratch copy: the folder is missing; the repository is bare or the folder lies in
 * `.git`; git does not trust the repository; there are more files than the limit, or none, as in a
 * folder that git ignores; the folder for copies lies in the workspace; git failed.
 */
export type ScratchRefusal =
  | "missing"
  | "bare"
  | "not-trusted"
  | "too-many-files"
  | "no-files"
  | "inside"
  | "git-failed";

/**
 * A copy of a workspace for trying edits and running verification commands, outside the user's
 * files.
 *
 * In a repository it is a work tree without a branch that contains all files as they are on the
 * disk: the tracked ones, with local changes, and those that git neither tracks nor ignores. Its
 * index is that of the last commit, so git reports the same in it as in the workspace, except for
 * what is staged. Submodules are copied as plain files. Ignored files are missing, except
 * dependency folders, which are linked. Without a repository, before its first commit, and when the
 * repository is read-only, it is a plain copy.
 *
 * The caller disposes of it. Copies of killed processes are removed when the next one is opened on
 * the same machine.
 */
export interface ScratchCopy extends AsyncDisposable {
  /** The absolute path of the workspace's copy. */
  readonly root: string;
  readonly kind: "worktree" | "plain";
  /**
   * Paths that are missing in the copy besides ignored ones, relative to the top of the repository.
   */
  readonly leftOut: readonly LeftOutPath[];
  /** The linked dependencies, relative to the top of the repository. */
  readonly linked: readonly string[];
  /**
   * Writes an edit into the copy, as into a workspace. Paths that lead out of it, such as linked
   * dependencies, are refused.
   */
  write(write: EditToWrite, options?: AbortOptions): Promise<WriteOutcome>;
  /**
   * The differences from the start, whatever caused them. Ignored files and new files in submodules
   * are not considered. Rejects with `EmendError` `git-failed`.
   */
  changes(options?: AbortOptions): Promise<ScratchChanges>;
  /**
   * Restores files to their state at the start; files that did not exist then are removed. Paths
   * are relative to the root, as in `changes`.
   */
  restore(paths: readonly string[]): Promise<void>;
  /**
   * The environment for commands in the copy: `base` without variables that lead git to another
   * repository, and with a `PYTHONPATH` of the copy's packages when a virtual environment contains
   * those of the original in editable mode.
   */
  environment(base: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a scratch copy of the workspace at the absolute path `root`. A workspace that cannot be
 * copied is `refused`, with the reason. Rejects with the signal's reason or the system's error, and
 * then leaves nothing behind.
 */
export async function openScratchCopy(root: string, options: ScratchOptions): Promise<ScratchAnswer> {
  const { signal, git } = options;
  const gitOptions: GitOptions = { timeoutMs: 120_000, ...git, signal };
  await removeLeftovers(options.folder);
  signal?.throwIfAborted();
  const ground = await findGround(root, gitOptions);
  if (ground.kind === "refused") return ground;
  const { top } = ground;
  if (tryRelativePath(top, toPortablePath(options.folder)) !== undefined) {
    const message = `${options.folder} lies in ${top}: name a folder outside of it for scratch copies.`;
    return { kind: "refused", reason: "inside", message };
  }
  const found = await ground.list();
  if (found.kind === "refused") return found;
  if (ground.prefix !== "" && !found.paths.some((path) => path.startsWith(ground.prefix))) {
    const message = `${root} has no file that git tracks or would track: name a folder that its repository does not ignore.`;
    return { kind: "refused", reason: "no-files", message };
  }
  const more = await listAlso(ground, options.include ?? []);
  const listed: Listed = { ...found, paths: [...new Set([...found.paths, ...more])] };
  const { maxFiles = 200_000 } = options;
  if (listed.paths.length > maxFiles) {
    const message = `${top} has ${listed.paths.length} files, and ${maxFiles} are copied at most: plan for a folder of it.`;
    return { kind: "refused", reason: "too-many-files", message };
  }
  const place = await takePlace(options.folder, ground.isRepository ? top : undefined);
  try {
    return await fillPlace(toPortablePath(await realpath(place)), { ...ground, listed, options, gitOptions });
  } catch (error) {
    await leavePlace(place, ground.isRepository ? top : undefined);
    throw error;
  }
}

/** The source of a scratch copy. */
interface Ground {
  readonly kind: "ground";
  /** The absolute path of the repository's files, or of the workspace; links resolved. */
  readonly top: string;
  /** The workspace's path from the top: empty, or with a trailing `/`. */
  readonly prefix: string;
  readonly isRepository: boolean;
  readonly list: () => Promise<Listed | Refused>;
}

interface Listed {
  readonly kind: "listed";
  readonly paths: readonly string[];
  readonly leftOut: readonly LeftOutPath[];
}

type Refused = Extract<ScratchAnswer, { readonly kind: "refused" }>;

async function findGround(root: string, git: GitOptions): Promise<Ground | Refused> {
  let real: string;
  try {
    real = toPortablePath(await realpath(root));
  } catch {
    return refuse("missing", `There is no folder ${root}.`);
  }
  const kind = await gitFolderKind(real, git);
  if (kind.kind === "not-a-repository" || kind.kind === "git-missing") {
    return { kind: "ground", top: real, prefix: "", isRepository: false, list: () => listByWalk(real, git.signal) };
  }
  if (kind.kind !== "answer") return refuseGit(kind, root);
  if (kind.value !== "work-tree") {
    const what = kind.value === "bare" ? "is a repository without files (bare)" : "lies inside .git";
    return refuse("bare", `${root} ${what}: name a clone or a work tree of it.`);
  }
  const found = await gitRoot(real, git);
  if (found.kind !== "answer") return refuseGit(found, root);
  const top = toPortablePath(await realpath(found.value));
  const inside = tryRelativePath(top, real) ?? "";
  const prefix = inside === "" ? "" : `${inside}/`;
  return { kind: "ground", top, prefix, isRepository: true, list: () => listByGit(top, git) };
}

/** The files of a repository and its submodules. */
async function listByGit(top: string, git: GitOptions): Promise<Listed | Refused> {
  const paths: string[] = [];
  const leftOut: LeftOutPath[] = [];
  const list = async (folder: string): Promise<Refused | undefined> => {
    const files = await gitFiles(join(top, folder), git);
    if (files.kind !== "answer") return refuseGit(files, top);
    const submodules = await gitSubmodules(join(top, folder), git);
    if (submodules.kind !== "answer") return refuseGit(submodules, top);
    const isSubmodule = (file: string) => submodules.value.includes(file);
    for (const file of files.value) {
      const path = `${folder}${file}`;
      if (path.endsWith("/")) leftOut.push({ path: path.slice(0, -1), why: "nested-repository" });
      else if (isSubmodule(file)) {
        // A submodule that was not fetched has nothing to copy.
        const refused = (await isRepository(join(top, path))) ? await list(`${path}/`) : undefined;
        if (refused !== undefined) return refused;
      } else paths.push(path);
    }
    return undefined;
  };
  return (await list("")) ?? { kind: "listed", paths, leftOut };
}

/**
 * The files at these paths of the workspace and below them, relative to the top; without missing
 * paths and paths outside.
 */
async function listAlso({ top, prefix }: Ground, paths: readonly string[]): Promise<readonly string[]> {
  const files: string[] = [];
  const list = async (path: string): Promise<void> => {
    const entry = await lstat(join(top, path)).catch(() => undefined);
    if (entry?.isDirectory() !== true) return void (entry !== undefined && files.push(path));
    for (const name of (await readdir(join(top, path))).sort()) if (name !== ".git") await list(joinPath(path, name));
  };
  for (const path of paths) {
    const inside = tryRelativePath(top, toPortablePath(resolve(top, prefix, path)));
    if (inside !== undefined && inside !== "") await list(inside);
  }
  return files;
}

/** Whether a folder has its own repository. */
async function isRepository(path: string): Promise<boolean> {
  return disk.stat(join(path, ".git")).then(
    () => true,
    () => false,
  );
}

/** The files of a workspace without a repository, by its ignore rules. */
async function listByWalk(root: string, signal: AbortSignal | undefined): Promise<Listed> {
  const paths: string[] = [];
  const leftOut: LeftOutPath[] = [];
  const rules = { fileSystem: disk, unknownLanguages: "keep", maxBytes: Number.MAX_SAFE_INTEGER } as const;
  for await (const item of walkWorkspace(root, { ...rules, signal })) {
    if (item.kind === "file") paths.push(item.path);
    else if (isNoteworthy(item)) leftOut.push({ path: item.path, why: "not-read" });
  }
  return { kind: "listed", paths, leftOut };
}

/**
 * Whether a skipped path is worth reporting: third-party code, build output and ignored files are
 * not.
 */
function isNoteworthy({ reason }: SkippedPath): boolean {
  return !["ignored", "vendored", "output", "version-control"].includes(reason.kind);
}

interface Filling extends Ground {
  readonly listed: Listed;
  readonly options: ScratchOptions;
  readonly gitOptions: GitOptions;
}

async function fillPlace(place: string, filling: Filling): Promise<ScratchAnswer> {
  const { top, prefix, isRepository, listed, options, gitOptions } = filling;
  const { signal, maxFileBytes = 256 * 1024 * 1024 } = options;
  const tree = `${place}/tree`;
  const start = `${place}/start`;
  await mkdir(tree);
  const added = isRepository ? await addWorktree(top, tree, gitOptions) : undefined;
  // Before the first commit there is no commit for a work tree.
  const isUnborn =
    added?.kind === "failed" &&
    added.message
      .split("\n")
      .some((line) => /HEAD/i.test(line) && /invalid reference|ambiguous argument|\bnot a/i.test(line));
  // A read-only repository cannot have another work tree; a plain copy needs its files only.
  const isReadOnly = added?.kind === "failed" && /permission denied|read-only file system/i.test(added.message);
  if (added !== undefined && added.kind !== "answer" && !isUnborn && !isReadOnly) {
    await leavePlace(place, top);
    return refuseGit(added, top);
  }
  const copied = await copyFiles({ from: top, to: tree, start, paths: listed.paths, maxFileBytes, signal });
  const folders = foldersOf([...copied.stamps.keys(), prefix]);
  const linked = await linkDependencies(folders, { from: top, to: tree }, signal);
  const environments = linked.map((path) => `${top}/${path}`);
  const pythonPath = await pythonSearchPath(environments, { from: top, to: tree });
  const files: OpenFiles = {
    pythonPath,
    place,
    tree,
    start,
    copied,
    linked,
    filling,
    kind: added?.kind === "answer" ? "worktree" : "plain",
  };
  return { kind: "open", copy: new OpenScratchCopy(files, [...listed.leftOut, ...copied.leftOut]) };
}

/** All folders above these paths, relative to the top. */
function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set([""]);
  for (const path of paths) {
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

interface OpenFiles {
  readonly place: string;
  readonly tree: string;
  readonly start: string;
  readonly copied: CopiedFiles;
  readonly linked: readonly string[];
  readonly pythonPath: readonly string[];
  readonly filling: Filling;
  readonly kind: "worktree" | "plain";
}

class OpenScratchCopy implements ScratchCopy {
  readonly root: string;
  readonly kind: "worktree" | "plain";
  readonly leftOut: readonly LeftOutPath[];
  readonly linked: readonly string[];
  #files: OpenFiles;
  #closing: Promise<void> | undefined;

  constructor(files: OpenFiles, leftOut: readonly LeftOutPath[]) {
    this.#files = files;
    this.root = join(files.tree, files.filling.prefix).replace(/[\\/]$/, "");
    this.kind = files.kind;
    this.leftOut = leftOut;
    this.linked = files.linked;
  }

  write(write: EditToWrite, { signal }: AbortOptions = {}): Promise<WriteOutcome> {
    return writeWorkspaceEdit(this.root, write, { journal: { folder: `${this.#files.place}/journal` }, signal });
  }

  async changes({ signal }: AbortOptions = {}): Promise<ScratchChanges> {
    const { tree, start, copied, linked, filling, kind } = this.#files;
    const { git } = filling.options;
    const listed =
      kind === "worktree"
        ? await listByGit(tree, { timeoutMs: 120_000, ...git, signal })
        : await listByWalk(tree, signal);
    if (listed.kind === "refused") throw new EmendError("git-failed", listed.message);
    const isLinked = (path: string) => linked.some((link) => path === link || path.startsWith(`${link}/`));
    const paths = listed.paths.filter((path) => !isLinked(path));
    return scratchChanges(paths, { top: tree, start, prefix: filling.prefix, copied });
  }

  async restore(paths: readonly string[]): Promise<void> {
    const { tree, start, copied, filling } = this.#files;
    // `changes` reports paths outside the root relative to the top.
    const known = (path: string) => copied.stamps.has(path) || copied.links.has(path);
    const all = paths.map((path) => {
      const inside = `${filling.prefix}${path}`;
      return known(path) && !known(inside) ? path : inside;
    });
    const stamps = await restoreFiles(all, { tree, start, copied });
    this.#files = { ...this.#files, copied: { ...copied, stamps } };
  }

  environment(base: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string | undefined>> {
    const leads = /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY)$/;
    const { pythonPath } = this.#files;
    const paths = [...pythonPath, ...(base["PYTHONPATH"] ? [base["PYTHONPATH"]] : [])];
    return {
      ...Object.fromEntries(Object.entries(base).filter(([name]) => !leads.test(name))),
      ...(pythonPath.length > 0 && { PYTHONPATH: paths.join(delimiter) }),
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    const { place, filling } = this.#files;
    this.#closing ??= leavePlace(place, filling.isRepository ? filling.top : undefined);
    return this.#closing;
  }
}

function refuse(reason: ScratchRefusal, message: string): Refused {
  return { kind: "refused", reason, message };
}

function refuseGit(answer: Exclude<GitAnswer<unknown>, { readonly kind: "answer" }>, root: string): Refused {
  switch (answer.kind) {
    case "not-trusted":
      return refuse("not-trusted", `git does not trust ${root}: ${answer.message}`);
    case "timed-out":
      return refuse("git-failed", `git did not answer in ${answer.timeoutMs / 1000} s in ${root}. Try again.`);
    case "failed":
      return refuse("git-failed", `git failed in ${root}: ${answer.message}`);
    case "folder-missing":
      return refuse("missing", `There is no folder ${root}.`);
    case "bare-repository":
      return refuse("bare", `${root} is a bare repository: name a clone or a work tree of it.`);
    case "git-missing":
    case "not-a-repository":
      return refuse("git-failed", `${root} was a repository a moment ago and is none now.`);
  }
}

/** A clone in which a plan runs, on a machine without the repository. The caller disposes of it. */
export interface ScratchClone extends AsyncDisposable {
  /** The absolute path of its files. */
  readonly root: string;
}

/**
 * Clones a repository at a commit into `folder`, an absolute path for all such clones that is
 * created when it is missing. Clones of killed processes of this machine are removed first. Rejects
 * with the signal's reason, and then leaves nothing behind. A failure of git is an answer of
 * another kind; an error of the system rejects.
 */
export async function openScratchClone(
  { folder, from, commit }: { readonly folder: string; readonly from: string; readonly commit: string },
  options: GitOptions = {},
): Promise<GitAnswer<ScratchClone>> {
  await removeLeftovers(folder);
  const place = await takePlace(folder, undefined);
  const leave = () => leavePlace(place, undefined);
  const root = join(place, "tree");
  try {
    const answer = await gitClone({ from, to: root, commit }, options);
    if (answer.kind === "answer") return { kind: "answer", value: { root, [Symbol.asyncDispose]: leave } };
    await leave();
    return answer;
  } catch (error) {
    await leave();
    throw error;
  }
}
