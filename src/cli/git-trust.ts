import { disk, type GitOptions } from "../codebase/node/index.ts";
import { type Environment, isTrustedWorkspace, userConfigFolder } from "../config/index.ts";

/** What decides about trust beside the user's own file. */
export interface GitTrustQuestion {
  /** The absolute path of the workspace. */
  readonly root: string;
  /** Whether the person gave `--trust`. */
  readonly trust: boolean;
  readonly environment: Environment;
}

/**
 * The trust option of git calls for a workspace: git's filters run only where the workspace is
 * trusted.
 */
export async function gitTrustOf({
  root,
  trust,
  environment,
}: GitTrustQuestion): Promise<Required<Pick<GitOptions, "isTrusted">>> {
  const source = { root, userFolder: userConfigFolder(), environment, fileSystem: disk };
  return { isTrusted: trust || (await isTrustedWorkspace(source)) };
}
