import { toPortablePath } from "./disk.ts";
import { gitFilteredPaths } from "./git-trees.ts";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

export type { GitAnswer, GitOptions };

/** The commit or branch that is checked out. A branch without a commit is `unborn`. */
export type GitHead =
  | { readonly kind: "branch"; readonly branch: string; readonly sha: string }
  | { readonly kind: "detached"; readonly sha: string }
  | { readonly kind: "unborn"; readonly branch: string };

/**
 * The absolute path of the top of the work tree that contains `folder`, with links resolved.
 * Outside of a work tree the answer is `not-a-repository` or `bare-repository`. Rejects with the
 * signal's reason only.
 */
export async function gitRoot(folder: string, options: GitOptions = {}): Promise<GitAnswer<string>> {
  return mapGitAnswer(await runGit(folder, ["rev-parse", "--show-toplevel"], options), (output) =>
    toPortablePath(output.replace(/\r?\n$/, "")),
  );
}

/**
 * The commit and branch of `HEAD` in `folder`, in a work tree. Rejects with the signal's reason
 * only.
 */
export async function gitHead(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitHead>> {
  // A path that matches no file keeps this fast in any work tree.
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--ignore-submodules=all"];
  return mapGitAnswer(await runGit(folder, [...args, "--", ":(top,literal).git"], options), parseHead);
}

/** Source: git-status(1), "Porcelain Format Version 2". */
function parseHead(output: string): GitHead {
  const header = (name: string) => new RegExp(`(?:^|\0)# branch\\.${name} ([^\0]*)`).exec(output)?.[1] ?? "";
  const [sha, branch] = [header("oid"), header("head")];
  if (sha === "(initial)" || sha === "") return { kind: "unborn", branch };
  return branch === "(detached)" ? { kind: "detached", sha } : { kind: "branch", branch, sha };
}

/**
 * The paths that git tracks below `folder`, relative to it, also of deleted files. Rejects with the
 * signal's reason only.
 */
export async function gitTracked(folder: string, options: GitOptions = {}): Promise<GitAnswer<ReadonlySet<string>>> {
  return mapGitAnswer(await runGit(folder, ["ls-files", "-z", "--cached"], options), (output) => {
    return new Set(output.split("\0").filter((path) => path !== ""));
  });
}

/**
 * The changes since the last commit below `folder`, as a unified diff with one line of context and
 * paths relative to `folder`. Untracked files are not included, and no program runs that the
 * repository names. Without trust no filter runs, and files that need theirs for the comparison are
 * not included.
 *
 * The answer is `failed` where there is no commit. Rejects with the signal's reason only.
 */
export async function gitDiff(folder: string, options: GitOptions = {}): Promise<GitAnswer<string>> {
  const plain = [
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--ignore-submodules=all",
    "--src-prefix=a/",
    "--dst-prefix=b/",
  ];
  const filtered = await gitFilteredPaths(folder, options);
  if (filtered.kind !== "answer") return filtered;
  const excluded = filtered.value.map((path) => `:(exclude,literal)${path}`);
  return runGit(folder, ["diff", "HEAD", ...plain, "--unified=1", "--relative", "--", ".", ...excluded], options);
}
