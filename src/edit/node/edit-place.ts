import { dirname, resolve } from "node:path";
import { joinPath, nameOf, tryRelativePath, trySecretPath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import { type EditDisk, isMissing, systemCode } from "./edit-disk.ts";
import { type FileRefusal, fileRefusal } from "./file-refusal.ts";

/** Where a path of a workspace really is. All absolute paths are written with `/`. */
export interface EditPlace {
  /** From the root, as it was asked for, without `.` and `..`. */
  readonly path: string;
  /** The absolute path with the links of its folders resolved, but not that of its last name. */
  readonly entry: string;
  /** What is at {@link entry}. */
  readonly holds: "nothing" | "file" | "folder" | "special" | "link";
  /** The absolute path of the file that the last name leads to, where it is a link; {@link entry} otherwise. */
  readonly target: string;
}

/** A place, or why nothing may be read or written there. */
export type PlaceAnswer =
  | { readonly kind: "place"; readonly place: EditPlace }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Finds the place of `path`, relative to the workspace or absolute, in the workspace `realRoot`, an absolute path with
 * links resolved. What leads out of it is refused, and what is secret or belongs to version control.
 */
export async function findPlace(realRoot: string, path: string, disk: EditDisk): Promise<PlaceAnswer> {
  const refuse = (refusal: FileRefusal): PlaceAnswer => ({ kind: "refused", refusal });
  if (path.includes("\0")) return refuse(fileRefusal("outside", path));
  try {
    const asked = toPortablePath(resolve(realRoot, path));
    // An absolute path may reach the workspace by a link.
    const relative =
      tryRelativePath(realRoot, asked) ??
      tryRelativePath(realRoot, joinPath(await realFolder(dirname(asked), disk), nameOf(asked)));
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

/** What an error of the disk says of a file that was asked for. Other errors are thrown again. */
export function refusalOfError(error: unknown, path: string): FileRefusal {
  switch (systemCode(error)) {
    case "":
      throw error;
    case "ENOENT":
    case "ELOOP":
      return fileRefusal("broken-link", path);
    case "EACCES":
    case "EPERM":
      return fileRefusal("no-permission", path);
    default:
      return fileRefusal("disk-failed", path, (error as Error).message);
  }
}

/** What is at an absolute path, links not followed. */
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
  // The workspace itself may lie in a folder of secrets.
  const secret = trySecretPath(real);
  return secret && fileRefusal("secret", path, `its ${secret.by}: ${secret.detail}`);
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);

/** The folder with all links resolved; names at its end that do not exist yet stay as they are. */
export async function realFolder(folder: string, disk: EditDisk): Promise<string> {
  try {
    return toPortablePath(await disk.realpath(folder));
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder || (await kindAt(folder, disk)) !== "nothing") throw error;
    return joinPath(await realFolder(dirname(folder), disk), nameOf(folder));
  }
}
