import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";

/** A path that a scratch copy lacks, and why. */
export interface LeftOutPath {
  /** From the top of what was copied. */
  readonly path: string;
  readonly why: /** Another repository inside, such as a work tree of this one, that git does not track. */
    | "nested-repository"
    /** A file of more bytes than are copied. */
    | "too-large"
    /** A pipe, a socket or a device. */
    | "special"
    /** The system does not let us read it. */
    | "unreadable"
    /** The workspace's rules say that it is not to be read. */
    | "not-read";
}

/** What makes a file the one that was copied: it has not been written since. */
export type FileStamp = string;

/** Files that were copied, and what was left out. */
export interface CopiedFiles {
  /** By path from the top; links are not in it. */
  readonly stamps: ReadonlyMap<string, FileStamp>;
  /** The links, with where they lead, as they were made. */
  readonly links: ReadonlyMap<string, string>;
  readonly leftOut: readonly LeftOutPath[];
}

/** Which files are copied from where to where. All folders are absolute. */
export interface CopyRequest {
  readonly from: string;
  readonly to: string;
  /** A second place that is given the same files, to know later what they were. */
  readonly start: string;
  /** From the top, with `/`. */
  readonly paths: readonly string[];
  /** Larger files are left out. */
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** So many files are copied at the same time. */
const atOnce = 16;

/**
 * Copies files and links as they are on the disk, without their times; where the disk can, they share what they hold until one
 * is written. A link to a place in `from` leads to the same place in `to`. Files that are not there are passed over.
 */
export async function copyFiles(request: CopyRequest): Promise<CopiedFiles> {
  const stamps = new Map<string, FileStamp>();
  const links = new Map<string, string>();
  const leftOut: LeftOutPath[] = [];
  const folders = new Map<string, Promise<unknown>>();
  const makeFolder = (path: string) => {
    const made = folders.get(path) ?? mkdir(path, { recursive: true });
    folders.set(path, made);
    return made;
  };
  const copy = async (path: string): Promise<void> => {
    const source = join(request.from, path);
    const target = join(request.to, path);
    try {
      const found = await lstat(source);
      if (found.isSymbolicLink()) {
        await makeFolder(dirname(target));
        links.set(path, await copyLink(source, target, request));
      } else if (!found.isFile()) {
        leftOut.push({ path, why: "special" });
      } else if (found.size > request.maxFileBytes) {
        leftOut.push({ path, why: "too-large" });
      } else {
        const kept = join(request.start, path);
        await Promise.all([makeFolder(dirname(target)), makeFolder(dirname(kept))]);
        await copyFile(source, target, constants.COPYFILE_FICLONE);
        // What was copied is what it was: a file that somebody writes meanwhile is two different ones.
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
 * Brings files of a copy back to what they were, and links to where they led; what was not copied goes. Paths are from the top. Answers the
 * stamps of all that was copied, as they are now.
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
    await mkdir(dirname(target), { recursive: true });
    if (link !== undefined) await symlink(link, target);
    else {
      await copyFile(join(start, path), target, constants.COPYFILE_FICLONE);
      stamps.set(path, await stampOf(target));
    }
  }
  return stamps;
}

/** The stamp of what is at an absolute path; rejects where nothing is. */
export async function stampOf(path: string): Promise<FileStamp> {
  const { ino, size, mtimeNs, ctimeNs, mode } = await lstat(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs, mode].join(" ");
}

/** Makes a link like another one, and answers where it leads. */
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
