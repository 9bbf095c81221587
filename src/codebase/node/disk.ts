import { createReadStream, type Dirent, type Stats } from "node:fs";
import { readdir, readlink, realpath, stat } from "node:fs/promises";
import { type EntryKind, type FileSystem, FileSystemError, type FileSystemFailure } from "../file-system.ts";
import { gitExcludesFile } from "./git-excludes.ts";
import { toPortablePath } from "./portable-path.ts";
import { readRegularFile } from "./read-regular-file.ts";

export { toPortablePath };

/** The {@link FileSystem} of this machine. */
export const disk: FileSystem = {
  readFile: (path, options) => withDiskErrors(path, () => readRegularFile(path, options)),
  readFolder: (path) =>
    withDiskErrors(path, async () => {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    }),
  stat: (path) =>
    withDiskErrors(path, async () => {
      const found = await stat(path);
      const kind = kindOf(found);
      return { kind: kind === "link" ? "special" : kind, size: found.size, mtimeMs: found.mtimeMs };
    }),
  readLink: (path) =>
    withDiskErrors(path, () =>
      readlink(path).then(toPortablePath, (error: NodeJS.ErrnoException) => {
        // The path is no link.
        if (error.code === "EINVAL" || error.code === "UNKNOWN") return undefined;
        throw error;
      }),
    ),
  realPath: (path) => withDiskErrors(path, async () => toPortablePath(await realpath(path))),
  excludesFile: gitExcludesFile,
};

function kindOf(found: Dirent | Stats): EntryKind {
  if (found.isFile()) return "file";
  if (found.isDirectory()) return "folder";
  return found.isSymbolicLink() ? "link" : "special";
}

async function withDiskErrors<Answer>(path: string, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (cause) {
    throw new FileSystemError(failureOf(cause), path, { cause });
  }
}

/**
 * The {@link FileSystemFailure} for an error of Node's `fs`; `disk-failed` for all that have no
 * code of their own.
 */
export function failureOf(cause: unknown): FileSystemFailure {
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
    // The opened file is a socket, or a device that does not exist.
    case "ENXIO":
    case "ERR_SPECIAL_FILE":
      return "special-file";
    case "ERR_TOO_LARGE":
      return "too-large";
    case "ELOOP":
      return "link-loop";
    default:
      return "disk-failed";
  }
}

/** The most bytes of a named file, which is the most that a string can hold. */
const maxNamedBytes = 2 ** 29 - 25;

/**
 * The bytes of a file that the user names on the command line. It may be a pipe such as
 * `<(git diff)` or `/dev/stdin`, which is read to its end. Files of the workspace are read by a
 * `FileSystem` instead, which never waits for a pipe.
 *
 * `path` is absolute. Rejects with a {@link FileSystemError}; `too-large` after 512 MB.
 */
export async function readNamedFile(path: string): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxNamedBytes) throw new FileSystemError("too-large", path);
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof FileSystemError ? cause : new FileSystemError(failureOf(cause), path, { cause });
  }
  return Buffer.concat(chunks);
}
