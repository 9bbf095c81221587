import { dirname } from "node:path";
import { askGit, type GitAnswer, type GitOptions, mapGitAnswer } from "./git.ts";

/** What is cloned, and to where. */
export interface GitCloneRequest {
  /** What git clones from: a URL, or the path of a repository. */
  readonly from: string;
  /** The absolute path of a folder that is not there yet, in one that is. */
  readonly to: string;
  /** The full id of a commit to stand on without a branch; the default branch of the other repository unless told. */
  readonly commit?: string | undefined;
}

/**
 * Clones a repository with all its history, so that ranges of commits can be named. Nobody is asked for a password: where one is
 * needed, git says so. It may take ten minutes unless told.
 */
export async function gitClone(
  { from, to, commit }: GitCloneRequest,
  options: GitOptions = {},
): Promise<GitAnswer<void>> {
  const slow: GitOptions = { timeoutMs: 600_000, ...options };
  const cloned = await askGit(dirname(to), ["clone", "--quiet", "--", from, to], slow);
  if (cloned.kind !== "answer" || commit === undefined) return mapGitAnswer(cloned, () => undefined);
  return mapGitAnswer(await askGit(to, ["checkout", "--quiet", "--detach", commit], slow), () => undefined);
}
