import { dirname } from "node:path";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

/**
 * The role of a folder for git: a place in a work tree, a bare repository, or a place inside
 * `.git`.
 */
export type GitFolderKind = "work-tree" | "bare" | "git-folder";

/**
 * The role of `folder` for git. The result is `not-a-repository` when it lies in none. Rejects with
 * the signal's reason only.
 */
export async function gitFolderKind(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitFolderKind>> {
  const args = ["rev-parse", "--is-inside-work-tree", "--is-bare-repository"];
  const answer = await runGit(folder, args, options);
  if (answer.kind === "bare-repository") {
    return { kind: "answer", value: folder.split(/[\\/]/).includes(".git") ? "git-folder" : "bare" };
  }
  return mapGitAnswer(answer, (output) => {
    const [isInside, isBare] = output.split("\n");
    if (isInside === "true") return "work-tree";
    return isBare === "true" ? "bare" : "git-folder";
  });
}

/**
 * The files below `folder`, relative to it, that git tracks or neither tracks nor ignores. A
 * submodule is included as the path of its folder, an untracked nested repository with a trailing
 * `/`. Tracked files may be missing on the disk. Rejects with the signal's reason only.
 */
export async function gitFiles(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return mapGitAnswer(await runGit(folder, args, options), (output) =>
    // A file in conflict is listed once for each side.
    Array.from(new Set(output.split("\0").filter((path) => path !== ""))),
  );
}

/**
 * The folders of submodules below `folder`, relative to it, fetched or not. Rejects with the
 * signal's reason only.
 */
export async function gitSubmodules(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  return mapGitAnswer(await runGit(folder, ["ls-files", "-z", "--stage"], options), (output) =>
    output.split("\0").flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : [])),
  );
}

/**
 * Adds a work tree at the absolute path `path` to the repository of `folder`: detached at the
 * commit of `HEAD`, without files. Its index is that of the commit. The answer is `failed` where
 * there is no commit, or the folder is not empty. Rejects with the signal's reason only.
 */
export async function addWorktree(folder: string, path: string, options: GitOptions = {}): Promise<GitAnswer<void>> {
  const added = await runGit(
    folder,
    ["worktree", "add", "--detach", "--no-checkout", "--force", path, "HEAD"],
    options,
  );
  if (added.kind !== "answer") return added;
  return mapGitAnswer(await runGit(path, ["read-tree", "HEAD"], options), () => undefined);
}

/**
 * Removes the work tree at the absolute path `path`, whose folder is gone, from the repository of
 * `folder`. Other missing work trees stay registered: their disk may not be mounted. If the folder
 * still exists, git deletes it.
 *
 * Where git fails, as for a path that is no work tree of the repository, the answer contains that.
 * Rejects with the signal's reason only.
 */
export async function forgetWorktree(folder: string, path: string, options: GitOptions = {}): Promise<GitAnswer<void>> {
  const args = ["worktree", "remove", "--force", "--force", path];
  return mapGitAnswer(await runGit(folder, args, options), () => undefined);
}

/** What {@link gitClone} clones, and where to. */
export interface GitCloneRequest {
  /** The source: a URL, or the path of a repository. */
  readonly from: string;
  /** The absolute path of the new folder; its parent must exist and it must not. */
  readonly to: string;
  /**
   * The full id of a commit to check out without a branch. Default: the default branch of the
   * source.
   */
  readonly commit?: string | undefined;
}

/**
 * Clones a repository with its whole history, so that ranges of commits can be named. Git does not
 * prompt for a password; the answer is `failed` where it needs one, and for an unknown commit,
 * whose clone stays on the disk. An empty repository is cloned without a checkout.
 *
 * Without trust no filter runs, so that files of Git LFS are their pointers. The timeout of each
 * step is ten minutes by default. Rejects with the signal's reason only.
 */
export async function gitClone(
  { from, to, commit }: GitCloneRequest,
  options: GitOptions = {},
): Promise<GitAnswer<void>> {
  const slow: GitOptions = { timeoutMs: 600_000, ...options };
  const args = ["clone", "--quiet", "--no-checkout", "--", from, to];
  const cloned = await runGit(dirname(to), args, { ...slow, mayFetch: true });
  if (cloned.kind !== "answer") return cloned;
  const head = await runGit(to, ["rev-parse", "--verify", "--quiet", "HEAD"], slow);
  if (head.kind === "failed" && commit === undefined) return { kind: "answer", value: undefined };
  // The checkout runs in the clone itself, because the user's settings may apply to that folder
  // only and name other filters.
  const revision = commit === undefined ? [] : ["--detach", commit];
  return mapGitAnswer(await runGit(to, ["checkout", "--quiet", ...revision], slow), () => undefined);
}
