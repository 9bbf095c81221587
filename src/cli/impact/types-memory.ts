import { disk } from "../../codebase/node/index.ts";
import { loadConfig, userConfigFolder } from "../../config/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/**
 * The setting `types.maxMemoryMb` of the workspace at `root`: the most megabytes of memory of a
 * type checker's process.
 */
export async function typesMemoryMb(root: string, { environment }: Pick<Terminal, "environment">): Promise<number> {
  const source = { fileSystem: disk, userFolder: userConfigFolder(), environment };
  const { config } = await loadConfig({ root, isTrusted: undefined, flags: [], ...source });
  return config.types.maxMemoryMb;
}
