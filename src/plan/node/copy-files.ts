import { constants } from "node:fs";
import { copyFile, lstat, readlink, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { makeFolder } from "../../workspace/node/index.ts";

/** A path that is missing in a scratch copy, and why. */
export interface LeftOutPath {
  /** Relative to the top of what was copied. */
  readonly path: string;
  readonly why: /** A nested repository that git does not track, such as another work tree. */
    | "nested-repository"
    /** A file that is larger than the limit. */
    | "too-large"
    /** A pipe, a socket or a device. */
    | "special"
    /** The system does not permit reading it. */
    | "unreadable"
    /** The workspace's rules exclude it. */
    | "not-read";
}

/** Identifies the state of a copied file; it is equal as long as the file has not been written. */
export type FileStamp = string;

/** The result of copying files. */
export interface CopiedFiles {
  /** The stamps of copied files, by path from the top; without links. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** The targets of links as they were created, by path. */
  readonly links: ReadonlyMap<string, string>;
  readonly leftOut: readonly LeftOutPath[];
}

/** The files to copy, the source and the target. All folders are absolute. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** A second folder that gets the same files, for later comparison. */
  readonly start: string;
  /** Relative to the top, with `/`. */
  readonly paths: readonly string[];
  /** The limit in bytes; larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** The most files that are copied at the same time. */
const atOnce = 16;

/**
 * Copies files and links from the disk, without their times. Where the file system supports it,
 * copies share their blocks until one is written. A link to a place in `from` becomes a link to the
 * same place in `to`. Missing files are skipped; special, too large and unreadable ones are in
 * `leftOut`./ Rejects with the signal's reason, and with errors of the system except missing
 * permissions.
 */
export async function copyFiles(request: CopyRequest): Promise<CopiedFiles> {
  const stamps = new Map<string, FileStamp>();
  const links = new Map<string, string>();
  const leftOut: LeftOutPath[] = [];
  const folders = new Map<string, Promise<unknown>>();
  const makeOnce = (path: string) => {
    const made = folders.get(path) ?? makeFolder(path);
    folders.set(path, made);
    return made;
  };
  const copy = async (path: string): Promise<void> => {
    const source = join(request.from, path);
    const target = join(request.to, path);
    try {
      const found = await lstat(source);
      if (found.isSymbolicLink()) {
        await makeOnce(dirname(target));
        links.set(path, await copyLink(source, target, request));
      } else if (!found.isFile()) {
        leftOut.push({ path, why: "special" });
      } else if (found.size > request.maxFileBytes) {
        leftOut.push({ path, why: "too-large" });
      } else {
        const kept = join(request.start, path);
        await Promise.all([makeOnce(dirname(target)), makeOnce(dirname(kept))]);
        await copyFile(source, target, constants.COPYFILE_FICLONE);
        // Copy the copy: a file that is written meanwhile would differ in the two places.
        await copyFile(target, kept, constants.COPYFILE_FICLONE);
        stamps.set(path, await stampOf(target));
      }
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOENT" || code === "ENOTDIR") return;
      if (code !== "EACCES" && code !== "EPERM") throw error;
      leftOut.push({ path, why: "unreadable" });
    }
  };
  for (let i = 0; i < request.paths.length; i += atOnce) {
    request.signal?.throwIfAborted();
    await Promise.all(request.paths.slice(i, i + atOnce).map(copy));
  }
  return { stamps, links, leftOut };
}

/**
 * Restores files of the copy in the folder `tree` to their state at the start, which the folder
 * `start` holds, and links to their targets; files that were not copied are removed. Paths are
 * relative to the top. Returns the stamps of all copied files. Rejects with the system's error
 * where a file cannot be removed or written.
 */
export async function restoreFiles(
  paths: readonly string[],
  { tree, start, copied }: { readonly tree: string; readonly start: string; readonly copied: CopiedFiles },
): Promise<CopiedFiles["stamps"]> {
  const stamps = new Map(copied.stamps);
  for (const path of paths) {
    const target = join(tree, path);
    await rm(target, { recursive: true, force: true });
    const link = copied.links.get(path);
    if (link === undefined && !copied.stamps.has(path)) continue;
    await makeFolder(dirname(target));
    if (link !== undefined) await symlink(link, target);
    else {
      await copyFile(join(start, path), target, constants.COPYFILE_FICLONE);
      stamps.set(path, await stampOf(target));
    }
  }
  return stamps;
}

/**
 * The stamp of the file or link at an absolute path, which changes when it is written. Rejects with
 * the system's error where there is none.
 */
export async function stampOf(path: string): Promise<FileStamp> {
  const { ino, size, mtimeNs, ctimeNs, mode } = await lstat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs, mode].join(" ");
}

/**
 * Copies a link and returns the target of the copy. A target in `from` becomes the same place in
 * `to`; other targets stay. Rejects with the system's error, such as where `source` is no link or
 * `target` exists.
 */
export async function copyLink(
  source: string,
  target: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string> {
  const leads = await readlink(source);
  const inside = isAbsolute(leads) ? relative(from, leads) : "..";
  const isInside = inside !== ".." && !inside.startsWith(`..${sepOf(inside)}`) && !isAbsolute(inside);
  const place = isInside ? join(to, inside) : leads;
  await symlink(place, target);
  return place;
}

const sepOf = (path: string): string => (path.includes("\\") ? "\\" : "/");
