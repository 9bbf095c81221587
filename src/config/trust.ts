import { parseModelName } from "../model/index.ts";
import { type FileSystem, FileSystemError } from "../workspace/index.ts";
import { type Entry, printKey } from "./entries.ts";
import type { Environment } from "./environment.ts";

/**
 * Why an entry of a workspace's file counts only when the workspace is trusted, in words behind
 * "it"; `undefined` for all others.
 *
 * A folder that was only opened must not choose what is sent to whom, nor what runs. Which models
 * it may name is decided by {@link tryBuiltinAlone}.
 */
export function tryNeedOfTrust({ path, value }: Entry): string | undefined {
  if (path[0] === "models" && path[2] === "headers") return "is sent to a server and may hold variables";
  if (/^(models\..*|next|edit)\.request(\.|$)/.test(path.slice(0, 3).join(".")))
    return "changes what is sent to a server";
  if (path[0] === "models" && path[2] === "price") return "sets what your limit of cost is reckoned by";
  if (printKey(path) === "edit.verify") return value === "" ? undefined : "runs a command on your machine";
  if (printKey(path) === "next.recordTo") return value === "" ? undefined : "writes down what you do";
  if (printKey(path) === "types.maxMemoryMb") return "says how much memory of your machine is used";
  return undefined;
}

/** The settings that name models. */
const modelKeys: ReadonlySet<string> = new Set(["model", "next.model", "edit.model"]);

/**
 * What counts of an entry that names models while the workspace is not trusted: only `builtin`, so
 * that nothing is sent, and no prompt is built, because a folder was opened. `undefined` for an
 * entry that counts as it is; `value` is absent where nothing of it counts.
 *
 * A value that is no list of names counts as it is: checking it refuses it as a whole.
 */
export function tryBuiltinAlone({ path, value }: Entry): { readonly value?: unknown } | undefined {
  if (!modelKeys.has(printKey(path))) return undefined;
  const parsed = (Array.isArray(value) ? value : [value]).map((text) =>
    typeof text === "string" ? parseModelName(text).name : undefined,
  );
  if (parsed.some((name) => name === undefined)) return undefined;
  const isBuiltin = (index: number) => parsed[index]!.provider === "builtin";
  if (parsed.every((_, index) => isBuiltin(index))) return undefined;
  const kept = Array.isArray(value) ? value.filter((_, index) => isBuiltin(index)) : [];
  return kept.length === 0 ? {} : { value: kept };
}

/**
 * Whether the folder `root` is one of `folders` or lies below one; links resolved, `~` is the
 * person's home.
 *
 * Folders that do not exist or cannot be resolved, and paths that are not absolute, trust nothing:
 * the result is `false`, without a rejection.
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
    const trusted = await tryRealPath(folder.length > 1 ? folder.replace(/(?<!\/)\/+$/, "") : folder, fileSystem);
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

/**
 * The folders of `EMEND_TRUST`, separated as in `PATH`, by `:`; by `;` where it contains one or
 * begins with a drive. Empty ones are left out.
 */
export function trustedByVariable(environment: Environment): readonly string[] {
  const text = environment["EMEND_TRUST"] ?? "";
  // On Windows each path has a colon.
  const separator = /^[A-Za-z]:[\\/]|;/.test(text) ? ";" : ":";
  return text
    .split(separator)
    .map((folder) => folder.trim())
    .filter((folder) => folder !== "");
}
