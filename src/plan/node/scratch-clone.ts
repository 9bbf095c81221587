import { join } from "node:path";
import { type GitAnswer, type GitOptions, gitClone } from "../../workspace/node/index.ts";
import { leavePlace, removeLeftovers, takePlace } from "./scratch-owner.ts";

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
