import { type FileSystem, FileSystemError } from "../codebase/index.ts";
import { isLoopback, parseModelName, serverFacts } from "../model/index.ts";
import type { Entry } from "./entries.ts";
import type { Environment } from "./environment.ts";
import { printKey } from "./origin.ts";

/**
 * Why an entry of a workspace's file counts only when the workspace is trusted, in words behind "it"; `undefined` for all
 * others.
 *
 * A folder that was only opened must not choose to whom its neighbour's code, or a key, is sent, nor which file a native
 * parser reads.
 */
export function tryNeedOfTrust({ path, value }: Entry): string | undefined {
  if (path[0] === "models" && path[2] === "headers") return "is sent to a server and may hold variables";
  if (path[0] === "models" && path[2] === "price") return "sets what your limit of cost is reckoned by";
  if (printKey(path) === "edit.check") return value === "" ? undefined : "runs a command on your machine";
  if (printKey(path) === "next.recordTo") return value === "" ? undefined : "writes down what you do";
  if (path[0] !== "model" && !["edit.model", "next.model"].includes(printKey(path))) return undefined;
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === "string");
  return names.map(needOfModel).find((need) => need !== undefined);
}

function needOfModel(text: string): string | undefined {
  const { name } = parseModelName(text);
  if (name === undefined || name.provider === "builtin") return undefined;
  if (name.provider === "gguf") return "opens a file of its choice";
  const { home, keyNamesAt = {} } = serverFacts[name.provider];
  const isHome = name.baseUrl === home || Object.hasOwn(keyNamesAt, name.baseUrl);
  return isHome || isLoopback(name.baseUrl) ? undefined : "sends code to a server of its choice";
}

/**
 * Whether the folder `root` is one of `folders` or lies below one; links resolved, `~` is the person's home.
 *
 * Folders that do not exist, and paths that are not absolute, trust nothing.
 */
export async function isTrustedFolder(
  root: string,
  folders: readonly string[],
  { fileSystem, environment }: { readonly fileSystem: FileSystem; readonly environment: Environment },
): Promise<boolean> {
  const home = (environment["HOME"] ?? environment["USERPROFILE"] ?? "").replaceAll("\\", "/");
  const real = await tryRealPath(root, fileSystem);
  for (const written of folders) {
    const folder = written.replaceAll("\\", "/").replace(/^~(?=\/|$)/, home);
    if (!/^(\/|[A-Za-z]:\/)/.test(folder)) continue;
    const trusted = await tryRealPath(folder.length > 1 ? folder.replace(/\/+$/, "") : folder, fileSystem);
    if (real === undefined || trusted === undefined) continue;
    if (real === trusted || real.startsWith(trusted.endsWith("/") ? trusted : `${trusted}/`)) return true;
  }
  return false;
}

async function tryRealPath(path: string, fileSystem: FileSystem): Promise<string | undefined> {
  try {
    return await fileSystem.realPath(path);
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/** The folders of `EMEND_TRUST`: separated as in `PATH`. */
export function trustedByVariable(environment: Environment): readonly string[] {
  const text = environment["EMEND_TRUST"] ?? "";
  // On Windows a colon stands in every path.
  const separator = /^[A-Za-z]:[\\/]|;/.test(text) ? ";" : ":";
  return text
    .split(separator)
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
}
