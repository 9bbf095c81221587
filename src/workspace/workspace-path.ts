import { compareText } from "../text/index.ts";
/**
 * Paths in a workspace are relative to its root, with `/` between names on every system and without
 * a leading or trailing `/`. The root itself is the empty path. Absolute paths, which only a
 * `FileSystem` takes, use `/` as well.
 */

/** `path` below the folder `root`, both of which may be empty; `.` and `..` are not resolved. */
export function joinPath(root: string, path: string): string {
  if (path === "") return root;
  if (root === "") return path;
  return root.endsWith("/") ? root + path : `${root}/${path}`;
}

/**
 * A path that a program has written, with `/` between names: an absolute one is itself, any other
 * one lies below the absolute `folder`. `.` and `..` are not resolved.
 */
export function resolvePath(folder: string, path: string): string {
  const portable = path.replaceAll("\\", "/");
  return /^(\/|[A-Za-z]:)/.test(portable) ? portable : joinPath(folder, portable);
}

/**
 * The path that `path` means in `folder`, without `.`, `..` and empty names; `undefined` where it
 * leads out of the root.
 */
export function tryResolvePath(folder: string, path: string): string | undefined {
  const names: string[] = [];
  for (const name of `${folder}/${path}`.split("/")) {
    if (name === "." || name === "") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return names.join("/");
}

/** Whether `path` is relative to the file that names it: it begins with the name `.` or `..`. */
export function isRelative(path: string): boolean {
  return /^\.\.?(?:\/|$)/.test(path);
}

/**
 * The path that the relative path `specifier` means in the file at `path`, as in an import;
 * `undefined` where it leads out of the root.
 */
export function resolvedPath(path: string, specifier: string): string | undefined {
  return tryResolvePath(folderOf(path), specifier);
}

/**
 * The relative path from a folder to `target`, which begins with `./` or `../`. Law:
 * {@link tryResolvePath} in `folder` inverts it.
 */
export function relativePath(folder: string, target: string): string {
  let up = "";
  for (let base = folder; ; base = folderOf(base)) {
    const inside = base === "" ? target : tryRelativePath(base, target);
    if (inside !== undefined) return (up === "" ? "./" : up) + inside;
    up += "../";
  }
}

/** The folder that contains `path`; empty for a name without a folder, and for `/a`. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** The last name of `path`: `c.ts` of `a/b/c.ts`; the whole path where it has no `/`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * The lower-case ending after the last dot, without it; empty for `Makefile` and for `.gitignore`.
 */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

/**
 * `absolute` relative to the folder `root`, or `undefined` when it lies outside. Both must be
 * normalized: no `.` or `..`.
 */
export function tryRelativePath(root: string, absolute: string): string | undefined {
  if (absolute === root) return "";
  const start = root.endsWith("/") ? root : `${root}/`;
  return absolute.startsWith(start) ? absolute.slice(start.length) : undefined;
}

/** Whether `path` is `folder` or lies below it; the empty path, the root, contains every path. */
export function isWithin(path: string, folder: string): boolean {
  return tryRelativePath(folder, path) !== undefined || folder === "";
}

/**
 * The folders from the root down to the one that contains `path`: `["", "a", "a/b"]` for
 * `a/b/c.ts`; none for the root.
 */
export function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  if (path === "") return folders;
  folders.push("");
  for (let slash = path.indexOf("/"); slash >= 0; slash = path.indexOf("/", slash + 1)) {
    folders.push(path.slice(0, slash));
  }
  return folders;
}

/** The number of steps up and down between two folders; 0 for the same one. Law: it is a metric. */
export function folderDistance(one: string, other: string): number {
  const left = one === "" ? [] : one.split("/");
  const right = other === "" ? [] : other.split("/");
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared += 1;
  return left.length + right.length - 2 * shared;
}

/**
 * Compares whole paths by UTF-16 code unit, which is the same on every machine and in every locale.
 */
export function comparePaths(one: string, other: string): number {
  return compareText(one, other);
}
