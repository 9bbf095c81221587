import { dirname } from "node:path";
import { type GitAnswer, type GitOptions, mapGitAnswer, runGit } from "./run-git.ts";

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
 * prompt for a password; it fails where it needs one. Without trust no filter runs, so that files
 * of Git LFS are their pointers. The timeout is ten minutes by default.
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
