import { dirname } from "node:path";
import {
  type EditDisk,
  type FileRefusal,
  fileRefusal,
  kindAt,
  realFolder,
  refusalOfError,
} from "../../edit/node/index.ts";
import { joinPath, tryRelativePath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";

/** The served folder, and its disk. */
export interface ServedRoot {
  /** An absolute path, links resolved. */
  readonly root: string;
  readonly disk: EditDisk;
}

/** A resolved path in the served folder. Absolute paths have `/` between names. */
export interface ServedPath {
  /** The requested path, relative to the root; empty for the root itself. */
  readonly path: string;
  /** The absolute path with the links of its folders resolved, but not that of its last name. */
  readonly entry: string;
  /** The absolute path with all links resolved. */
  readonly real: string;
  /** What exists at {@link real}. */
  readonly holds: "nothing" | "file" | "folder" | "special";
}

/** A resolved path, or why it is refused. */
export type ServedPathResult =
  | { readonly kind: "place"; readonly place: ServedPath }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Resolves `path` in the folder `root`, an absolute path with links resolved. A failure of the disk
 * gives the result `refused`, not a rejection.
 *
 * Law: no path resolves to a location outside of the root at that time, nor into folders of version
 * control, which contain programs that git runs. A link is followed; one without a target is
 * refused.
 */
export async function resolveServedPath(root: string, path: string, disk: EditDisk): Promise<ServedPathResult> {
  const refuse = (refusal: FileRefusal): ServedPathResult => ({ kind: "refused", refusal });
  if (!isPlainPath(path)) return refuse(fileRefusal("outside", path));
  if (path === "") return { kind: "place", place: { path, entry: root, real: root, holds: "folder" } };
  const requested = joinPath(root, path);
  try {
    const folder = await realFolder(toPortablePath(dirname(requested)), disk);
    const entry = joinPath(folder, requested.slice(requested.lastIndexOf("/") + 1));
    // A path outside of the root is refused before its kind is read.
    if (tryRelativePath(root, entry) === undefined) return refuse(fileRefusal("outside", path));
    const found = await kindAt(entry, disk);
    const real = found === "nothing" ? entry : toPortablePath(await disk.realpath(entry));
    for (const one of [requested, entry, real]) {
      const inside = tryRelativePath(root, one);
      if (inside === undefined) return refuse(fileRefusal("outside", path));
      const system = tryVersionControl(inside);
      if (system !== undefined) return refuse(fileRefusal("version-control", path, system));
    }
    const holds = found === "link" ? await kindAt(real, disk) : found;
    // A link was put there meanwhile.
    if (holds === "link") return refuse(fileRefusal("broken-link", path));
    return { kind: "place", place: { path, entry, real, holds } };
  } catch (error) {
    return refuse(refusalOfError(error, path));
  }
}

/**
 * The first segment of `path` that is the folder of a version control system, such as `.git`, in
 * upper or lower case; `undefined` if there is none.
 */
export function tryVersionControl(path: string): string | undefined {
  return path.split("/").find((name) => versionControl.has(name.toLowerCase()));
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);

/** The longest path of any system, in UTF-16 code units. */
const maxPathLength = 4_096;

/** Whether `path` is in normal form: names with `/` between, none of them empty, `.` or `..`. */
function isPlainPath(path: string): boolean {
  if (path === "") return true;
  if (path.length > maxPathLength || path.includes("\0")) return false;
  const isMeant = process.platform === "win32" ? isNameOnWindows : () => true;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && isMeant(name));
}

/** Whether Windows takes `name` literally: it interprets `a.ts:b`, `a.ts.` and `a\b` otherwise. */
function isNameOnWindows(name: string): boolean {
  return !/[\\:*?"<>|]|[. ]$/.test(name);
}
