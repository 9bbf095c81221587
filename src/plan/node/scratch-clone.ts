import { join } from "node:path";
import { type GitAnswer, type GitOptions, gitClone } from "../../codebase/node/index.ts";
import { leavePlace, removeLeftovers, takePlace } from "./scratch-owner.ts";

/** A clone to carry a plan out in, on a machine that does not have the repository. Whoever opened it disposes it. */
export interface ScratchClone extends AsyncDisposable {
  /** The absolute path of its files. */
  readonly root: string;
}

/**
 * Clones a repository at a commit into `folder`, an absolute path for all such clones that is made when it is missing. What killed processes of this
 * machine left there is removed first. Rejects with the signal's own reason, leaving nothing.
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
