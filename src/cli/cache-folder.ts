import { resolve } from "node:path";
import envPaths from "env-paths";
import { IndexCache, type IndexCacheOptions } from "../model/node/index.ts";
import { packageVersion } from "./package-version.ts";
import type { Terminal } from "./terminal/terminal.ts";

/**
 * The absolute folder of Emend's caches: `EMEND_CACHE_DIR`, relative to the working folder, or the
 * user's cache folder. It may not exist.
 */
export function cacheFolderOf({ environment, workingFolder }: Pick<Terminal, "environment" | "workingFolder">): string {
  const named = environment["EMEND_CACHE_DIR"];
  return named === undefined || named === "" ? userCacheFolder() : resolve(workingFolder, named);
}

/** The cache of indexes that a command uses, in the folder `indexes` of {@link cacheFolderOf}. */
export function indexCacheOf(
  terminal: Pick<Terminal, "environment" | "workingFolder">,
  options?: Pick<IndexCacheOptions, "isForOneRequest">,
): IndexCache {
  const folder = resolve(cacheFolderOf(terminal), "indexes");
  return new IndexCache({ folder, version: packageVersion(), ...options });
}

/**
 * The absolute path of the folder for what can be made again, where this system wants it:
 * `~/.cache/emend` on Linux. Does not make the folder.
 */
function userCacheFolder(): string {
  return envPaths("emend", { suffix: "" }).cache;
}
