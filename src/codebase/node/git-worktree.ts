import { askGit, type GitAnswer, type GitOptions, mapGitAnswer } from "./git.ts";

/** What a folder is to git: a place in a work tree, a repository without one, or the inside of `.git`. */
export type GitFolderKind = "work-tree" | "bare" | "git-folder";

/** What `folder` is to git; `not-a-repository` where it is nothing to it. */
export async function gitFolderKind(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitFolderKind>> {
  const args = ["rev-parse", "--is-inside-work-tree", "--is-bare-repository"];
  return mapGitAnswer(await askGit(folder, args, options), (output) => {
    const [isInside, isBare] = output.split("\n");
    if (isInside === "true") return "work-tree";
    return isBare === "true" ? "bare" : "git-folder";
  });
}

/**
 * The files below `folder` that git tracks and those that it neither tracks nor ignores, as paths from it. Submodules come as
 * the path of their folder, and other repositories inside, which are not tracked, as theirs with a `/` at the end. What is
 * tracked may be missing on the disk.
 */
export async function gitFiles(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  return mapGitAnswer(await askGit(folder, args, options), (output) =>
    // A file in conflict is there once for each of its sides.
    Array.from(new Set(output.split("\0").filter((path) => path !== ""))),
  );
}

/** The folders of submodules below `folder`, as paths from it, whether they were fetched or not. */
export async function gitSubmodules(folder: string, options: GitOptions = {}): Promise<GitAnswer<readonly string[]>> {
  return mapGitAnswer(await askGit(folder, ["ls-files", "-z", "--stage"], options), (output) =>
    output.split("\0").flatMap((entry) => (entry.startsWith("160000 ") ? [entry.slice(entry.indexOf("\t") + 1)] : [])),
  );
}

/**
 * Adds a work tree at the absolute path `path` to the repository of `folder`: with no branch, on the commit that `folder`
 * stands on, and without any file. Its index is that of the commit.
 */
export async function addWorktree(folder: string, path: string, options: GitOptions = {}): Promise<GitAnswer<void>> {
  const added = await askGit(
    folder,
    ["worktree", "add", "--detach", "--no-checkout", "--force", path, "HEAD"],
    options,
  );
  if (added.kind !== "answer") return added;
  return mapGitAnswer(await askGit(path, ["read-tree", "HEAD"], options), () => undefined);
}

/**
 * Has the repository of `folder` forget the work tree at the absolute path `path`, whose folder is gone already. No other is
 * forgotten: one that is missing may lie on a disk that is not there just now.
 */
export async function forgetWorktree(folder: string, path: string, options: GitOptions = {}): Promise<GitAnswer<void>> {
  const args = ["worktree", "remove", "--force", "--force", path];
  return mapGitAnswer(await askGit(folder, args, options), () => undefined);
}
