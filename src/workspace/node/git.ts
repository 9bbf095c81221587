import { type GitHead, type GitStatus, gitStatusArguments, parseGitStatus } from "../git-status.ts";
import { toPortablePath } from "./disk.ts";
import { gitFilteredPaths, gitFilters } from "./git-trees.ts";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

export type { GitAnswer, GitOptions };

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
 * Whether `folder` lies in a work tree of git; `false` outside a repository and in a bare one.
 * Other failures are returned. Rejects with the signal's reason only.
 */
export async function isInsideGit(folder: string, options: GitOptions = {}): Promise<GitAnswer<boolean>> {
  const answer = await runGit(folder, ["rev-parse", "--is-inside-work-tree"], options);
  if (answer.kind === "not-a-repository" || answer.kind === "bare-repository") return { kind: "answer", value: false };
  return mapGitAnswer(answer, (output) => output.trim() === "true");
}

/**
 * The commit and branch of `HEAD` in `folder`, in a work tree. Rejects with the signal's reason
 * only.
 */
export async function gitHead(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitHead>> {
  // A path that matches no file keeps this fast in any work tree.
  const args = ["status", "--porcelain=v2", "--branch", "-z", "--untracked-files=no", "--ignore-submodules=all"];
  return mapGitAnswer(
    await runGit(folder, [...args, "--", ":(top,literal).git"], options),
    (output) => parseGitStatus(output).head,
  );
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
 * The changes since the last commit in the whole work tree that contains `folder`, untracked files
 * included, with paths relative to its top. Without trust no filter runs: a tracked file with a
 * filter is in `unknown`, and only what is staged of it is in `changes`. Rejects with the signal's
 * reason only.
 */
export async function gitStatus(folder: string, options: GitOptions = {}): Promise<GitAnswer<GitStatus>> {
  const args = [...gitStatusArguments, "--ignore-submodules=dirty", "--find-renames"];
  const answer = mapGitAnswer(await runGit(folder, args, options), parseGitStatus);
  if (answer.kind !== "answer" || options.isTrusted === true) return answer;
  const { head, changes } = answer.value;
  const compared = changes.flatMap((change) =>
    "workTree" in change && change.workTree === "modified" ? [change.path] : [],
  );
  if (compared.length === 0) return answer;
  const top = await gitRoot(folder, options);
  if (top.kind !== "answer") return top;
  return mapGitAnswer(await gitFilters(top.value, compared, options), (filters): GitStatus => {
    const unknown = compared.filter((path) => filters.has(path));
    const known = changes.flatMap((change): typeof changes => {
      if (!("workTree" in change) || change.workTree !== "modified" || !filters.has(change.path)) return [change];
      return change.index === "unchanged" ? [] : [{ ...change, kind: change.index, workTree: "unchanged" }];
    });
    return { head, changes: known, ...(unknown.length > 0 && { unknown }) };
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
