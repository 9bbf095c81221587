import { dirname } from "node:path";
import { joinPath, tryRelativePath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import {
  type EditDisk,
  type FileRefusal,
  fileRefusal,
  kindAt,
  realFolder,
  refusalOfError,
} from "../../edit/node/index.ts";

/** The folder that is served, and its disk. */
export interface ServedRoot {
  /** An absolute path, links resolved. */
  readonly root: string;
  readonly disk: EditDisk;
}

/** Where a path of the served folder really is. Absolute paths are written with `/`. */
export interface ServedPlace {
  /** As it was asked for: relative to the root, which itself is the empty path. */
  readonly path: string;
  /** The absolute path with the links of its folders resolved, but not that of its last name. */
  readonly entry: string;
  /** The absolute path with all links resolved. */
  readonly real: string;
  /** What is at {@link real}. */
  readonly holds: "nothing" | "file" | "folder" | "special";
}

/** A place, or why there is none. */
export type ServedPlaceAnswer =
  | { readonly kind: "place"; readonly place: ServedPlace }
  | { readonly kind: "refused"; readonly refusal: FileRefusal };

/**
 * Finds the place of `path` in the folder `root`, an absolute path with links resolved.
 *
 * Law: the place of no path whatsoever lies outside of the root, at the moment that it is looked for. Nor does it belong to version
 * control, whose folders hold programs that git runs. A link counts as what it leads to; one that leads nowhere is refused.
 */
export async function findServedPlace(root: string, path: string, disk: EditDisk): Promise<ServedPlaceAnswer> {
  const refuse = (refusal: FileRefusal): ServedPlaceAnswer => ({ kind: "refused", refusal });
  if (!isPlainPath(path)) return refuse(fileRefusal("outside", path));
  if (path === "") return { kind: "place", place: { path, entry: root, real: root, holds: "folder" } };
  const asked = joinPath(root, path);
  try {
    const folder = await realFolder(toPortablePath(dirname(asked)), disk);
    const entry = joinPath(folder, asked.slice(asked.lastIndexOf("/") + 1));
    // What is outside is not even asked what it is.
    if (tryRelativePath(root, entry) === undefined) return refuse(fileRefusal("outside", path));
    const found = await kindAt(entry, disk);
    const real = found === "nothing" ? entry : toPortablePath(await disk.realpath(entry));
    for (const one of [asked, entry, real]) {
      const inside = tryRelativePath(root, one);
      if (inside === undefined) return refuse(fileRefusal("outside", path));
      const system = tryVersionControl(inside);
      if (system !== undefined) return refuse(fileRefusal("version-control", path, system));
    }
    const holds = found === "link" ? await kindAt(real, disk) : found;
    // Somebody has put a link where there was none a moment ago.
    if (holds === "link") return refuse(fileRefusal("broken-link", path));
    return { kind: "place", place: { path, entry, real, holds } };
  } catch (error) {
    return refuse(refusalOfError(error, path));
  }
}

/** The name in `path` that belongs to a version control system, if one does. */
export function tryVersionControl(path: string): string | undefined {
  return path.split("/").find((name) => versionControl.has(name.toLowerCase()));
}

const versionControl = new Set([".git", ".hg", ".svn", ".jj"]);

/** More is no path on any system that we know. UTF-16 units. */
const maxPathLength = 4_096;

/** Whether `path` is written in the one way that is understood: names with `/` between, none of which is empty or a step. */
function isPlainPath(path: string): boolean {
  if (path === "") return true;
  if (path.length > maxPathLength || path.includes("\0")) return false;
  const isMeant = process.platform === "win32" ? isNameOnWindows : () => true;
  return path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && isMeant(name));
}

/** Windows reads `a.ts:b`, `a.ts.` and `a\b` as something other than a name of its own. */
function isNameOnWindows(name: string): boolean {
  return !/[\\:*?"<>|]|[. ]$/.test(name);
}
