import { dirname, resolve } from "node:path";
import { errorMessage } from "../../text/index.ts";
import { joinPath, nameOf, tryRelativePath, trySecretPath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { type EditDisk, isMissing, systemCode } from "./edit-disk.ts";
import { type FileRefusal, fileRefusal } from "./file-refusal.ts";

/** The resolved location of a path in a workspace. All absolute paths use `/`. */
export interface EditPlace {
  /** The requested path from the root, without `.` and `..`. */
  readonly path: string;
  /** The absolute path with links in its folders resolved, but not a link at its last name. */
  readonly entry: string;
  /** What exists at {@link entry}. */
  readonly holds: "nothing" | "file" | "folder" | "special" | "link";
  /** The absolute path that the last name links to, where it is a link; {@link entry} otherwise. */
  readonly target: string;
}

/** A location, or why nothing may be read or written there. */
export type PlaceAnswer =
  | { readonly kind: "place"; readonly place: EditPlace }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Resolves `path`, relative to the workspace or absolute, in the workspace `realRoot`, an absolute
 * path with links resolved. A path at which nothing exists has a location too.
 *
 * Refuses paths that lead out of the workspace, the workspace itself, secret files, and files of
 * version control. Errors of the disk are refusals too; errors without a system code are thrown.
 */
export async function findPlace(realRoot: string, path: string, disk: EditDisk): Promise<PlaceAnswer> {
  const refuse = (refusal: FileRefusal): PlaceAnswer => ({ kind: "refused", refusal });
  if (path.includes("\0")) return refuse(fileRefusal("outside", path));
  try {
    const requested = toPortablePath(resolve(realRoot, path));
    // An absolute path may reach the workspace through a link.
    const relative =
      tryRelativePath(realRoot, requested) ??
      tryRelativePath(realRoot, joinPath(await realFolder(dirname(requested), disk), nameOf(requested)));
    if (relative === undefined) return refuse(fileRefusal("outside", path));
    if (relative === "") return refuse(fileRefusal("folder", path));
    const folder = await realFolder(dirname(joinPath(realRoot, relative)), disk);
    const entry = joinPath(folder, nameOf(relative));
    const holds = await kindAt(entry, disk);
    const target = holds === "link" ? toPortablePath(await disk.realpath(entry)) : entry;
    for (const real of [entry, target]) {
      const inside = tryRelativePath(realRoot, real);
      if (inside === undefined) return refuse(fileRefusal("outside", path, real));
      const refusal = refusalOfNames(path, real, inside);
      if (refusal !== undefined) return refuse(refusal);
    }
    const refusal = refusalOfNames(path, joinPath(realRoot, relative), relative);
    if (refusal !== undefined) return refuse(refusal);
    return { kind: "place", place: { path: relative, entry, holds, target } };
  } catch (error) {
    return refuse(refusalOfError(error, path));
  }
}

/**
 * Converts a disk error about the file `path` to a refusal: `broken-link` where it leads nowhere,
 * so callers check before that something is there; `no-permission`, `special` and `oversized`;
 * otherwise `disk-failed`. Rethrows errors without a system code.
 */
export function refusalOfError(error: unknown, path: string): FileRefusal {
  switch (systemCode(error)) {
    case "":
      throw error;
    case "ENOENT":
    case "ELOOP":
      return fileRefusal("broken-link", path);
    case "ENXIO":
    case "ERR_SPECIAL_FILE":
      return fileRefusal("special", path);
    case "ERR_TOO_LARGE":
      return fileRefusal("oversized", path, errorMessage(error));
    case "EACCES":
    case "EPERM":
      return fileRefusal("no-permission", path);
    default:
      return fileRefusal("disk-failed", path, errorMessage(error));
  }
}

/**
 * What exists at an absolute path; links are not followed. Rejects with the disk's error unless it
 * means that nothing is there.
 */
export async function kindAt(path: string, disk: EditDisk): Promise<EditPlace["holds"]> {
  try {
    const found = await disk.lstat(path);
    if (found.isSymbolicLink()) return "link";
    if (found.isFile()) return "file";
    return found.isDirectory() ? "folder" : "special";
  } catch (error) {
    if (isMissing(error)) return "nothing";
    throw error;
  }
}

function refusalOfNames(path: string, real: string, inside: string): FileRefusal | undefined {
  const system = inside.split("/").find((name) => versionControl.has(name.toLowerCase()));
  if (system !== undefined) return fileRefusal("version-control", path, system);
  // Checks the absolute path, since the workspace itself may be in a folder of secrets.
  const secret = trySecretPath(real);
  return secret && fileRefusal("secret", path, `its ${secret.by}: ${secret.detail}`);
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);

/**
 * Resolves all links of a folder; names at its end that do not exist yet are kept. Rejects with the
 * disk's error where a folder cannot be read or a link leads nowhere.
 */
export async function realFolder(folder: string, disk: EditDisk): Promise<string> {
  try {
    return toPortablePath(await disk.realpath(folder));
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder || (await kindAt(folder, disk)) !== "nothing") throw error;
    return joinPath(await realFolder(dirname(folder), disk), nameOf(folder));
  }
}
