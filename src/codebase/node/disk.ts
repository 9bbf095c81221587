import type { Dirent, Stats } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { sep } from "node:path";
import { type EntryKind, type FileSystem, FileSystemError, type FileSystemFailure } from "../file-system.ts";

/** The machine's own disk. */
export const disk: FileSystem = {
  readFile: (path) => asking(path, () => readFile(path)),
  readFolder: (path) =>
    asking(path, async () => {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    }),
  stat: (path) =>
    asking(path, async () => {
      const found = await stat(path);
      const kind = kindOf(found);
      return { kind: kind === "link" ? "special" : kind, size: found.size, mtimeMs: found.mtimeMs };
    }),
  realPath: (path) => asking(path, async () => toPortablePath(await realpath(path))),
};

/** A path of this system with `/` between names, as a {@link FileSystem} takes it. */
export function toPortablePath(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

function kindOf(found: Dirent | Stats): EntryKind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "special";
}

async function asking<Answer>(path: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    throw new FileSystemError(failureOf(cause), path, { cause });
  }
}

function failureOf(cause: unknown): FileSystemFailure {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOENT":
      return "file-missing";
    case "EACCES":
    case "EPERM":
      return "no-permission";
    case "ENOTDIR":
      return "not-a-folder";
    case "EISDIR":
      return "not-a-file";
    case "ELOOP":
      return "link-loop";
    default:
      return "disk-failed";
  }
}
