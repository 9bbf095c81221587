import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

/**
 * The role of a folder for git: a place in a work tree, a bare repository, or a place inside
 * `.git`.
 */
export type GitFolderKind = "work-tree" | "bare" | "git-folder";

/** The role of `folder` for git. The result is `not-a-repository` when it lies in none. */
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
 * `/`. Tracked files may be missing on the disk.
 */
export async function gitFiles(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return mapGitAnswer(await runGit(folder, args, options), (output) =>
    // A file in conflict is listed once for each side.
    Array.from(new Set(output.split("\0").filter((path) => path !== ""))),
  );
}

/** The folders of submodules below `folder`, relative to it, fetched or not. */
export async function gitSubmodules(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  return mapGitAnswer(await runGit(folder, ["ls-files", "-z", "--stage"], options), (output) =>
    output.split("\0").flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : [])),
  );
}

/**
 * Adds a work tree at the absolute path `path` to the repository of `folder`: detached at the
 * commit of `HEAD`, without files. Its index is that of the commit.
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
 * Where git fails, as for a path that is no work tree of the repository, the answer says so.
 * Rejects with the signal's reason only.
 */
export async function forgetWorktree(folder: string, path: string, options: GitOptions = {}): Promise<GitAnswer<void>> {
  const args = ["worktree", "remove", "--force", "--force", path];
  return mapGitAnswer(await runGit(folder, args, options), () => undefined);
}
