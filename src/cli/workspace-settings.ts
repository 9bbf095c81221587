import { type Environment, isTrustedWorkspace, loadConfig, userConfigFolder } from "../config/index.ts";
import { disk, type GitOptions } from "../workspace/node/index.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What decides about trust beside the user's own file. */
export interface GitTrustQuestion {
  /** The absolute path of the workspace. */
  readonly root: string;
  /** Whether the person gave `--trust`. */
  readonly trust: boolean;
  readonly environment: Environment;
}

/**
 * The trust option of git calls for a workspace: trusted with `--trust`, or where the person has
 * trusted it permanently. git's filters run only then.
 */
export async function gitTrustOf({
  root,
  trust,
  environment,
}: GitTrustQuestion): Promise<Required<Pick<GitOptions, "isTrusted">>> {
  const source = { root, userFolder: userConfigFolder(), environment, fileSystem: disk };
  return { isTrusted: trust || (await isTrustedWorkspace(source)) };
}

/**
 * The setting `types.maxMemoryMb` of the workspace at `root`: the most megabytes of memory of a
 * type checker's process. `trust` is whether the command line trusts the workspace. Rejects as
 * {@link loadConfig} does.
 */
export async function typesMemoryMb(
  root: string,
  { trust }: { readonly trust: boolean },
  { environment }: Pick<Terminal, "environment">,
): Promise<number> {
  const source = { fileSystem: disk, userFolder: userConfigFolder(), environment };
  const { config } = await loadConfig({ root, isTrusted: trust ? true : undefined, flags: [], ...source });
  return config.types.maxMemoryMb;
}
