import { resolve } from "node:path";
import { IndexCache, userCacheFolder } from "../model/node/index.ts";
import { packageVersion } from "./package-version.ts";
import type { Terminal } from "./terminal.ts";

/** The cache that a command uses: in the user's cache folder, or where `EMEND_CACHE_DIR` says. */
export function indexCacheOf({
  environment,
  workingFolder,
}: Pick<Terminal, "environment" | "workingFolder">): IndexCache {
  const named = environment["EMEND_CACHE_DIR"];
  const folder = named === undefined || named === "" ? userCacheFolder() : resolve(workingFolder, named);
  return new IndexCache({ folder: resolve(folder, "indexes"), version: packageVersion() });
}
