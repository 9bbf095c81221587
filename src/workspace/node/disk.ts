import { createReadStream, type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { readdir, readlink, realpath, rename, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, sep } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  type EntryKind,
  type FileStat,
  type FileSystem,
  FileSystemError,
  type FileSystemFailure,
  type FolderEntry,
  type Watch,
} from "../file-system.ts";
import { joinPath } from "../workspace-path.ts";
import { readRegularFile, readRegularFileSync } from "./regular-file.ts";
import { gitConfigPath, runGit } from "./run-git.ts";

/** The {@link FileSystem} of this machine. */
export const disk: FileSystem = {
  readFile: (path, options) => withDiskErrors(path, () => readRegularFile(path, options)),
  readFolder: (path) =>
    withDiskErrors(path, async () => {
      const entries = await readdir(path, { withFileTypes: true });
      return entries.map(folderEntry);
    }),
  stat: (path) => withDiskErrors(path, async () => fileStat(await stat(path))),
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

/** The milliseconds after which a {@link blockingDisk} lets timers, signals and other work run. */
const sliceMs = 10;
let sliceStartMs = Number.NEGATIVE_INFINITY;

/**
 * The {@link FileSystem} of this machine for a command that reads a whole workspace and ends. Its
 * calls block the thread; signals are handled every 10 milliseconds.
 *
 * 20,000 files take a third of the processor time of {@link disk}, which uses the threads of the
 * runtime. A slow disk would stop all else in a server, so servers use {@link disk}.
 */
export const blockingDisk: FileSystem = {
  ...disk,
  readFile: (path, options) => blocking(path, () => readRegularFileSync(path, options)),
  readFolder: (path) => blocking(path, () => readdirSync(path, { withFileTypes: true }).map(folderEntry)),
  stat: (path) => blocking(path, () => fileStat(statSync(path))),
  async statAll(paths) {
    const answers: (FileStat | FileSystemError)[] = [];
    for (let i = 0; i < paths.length; i += statsAtOnce) {
      const some = paths.slice(i, i + statsAtOnce);
      answers.push(...(await blocking(some[0]!, () => some.map(tryStat))));
    }
    return answers;
  },
  realPath: (path) => blocking(path, () => toPortablePath(realpathSync.native(path))),
};

/** Paths whose metadata is read without a look at the time, which takes about a millisecond. */
const statsAtOnce = 200;

function tryStat(path: string): FileStat | FileSystemError {
  try {
    return fileStat(statSync(path));
  } catch (cause) {
    return new FileSystemError(failureOf(cause), path, { cause });
  }
}

function blocking<Answer>(path: string, work: () => Answer): Promise<Answer> {
  if (performance.now() - sliceStartMs > sliceMs) return blockingLater(path, work);
  try {
    return Promise.resolve(work());
  } catch (cause) {
    return Promise.reject(new FileSystemError(failureOf(cause), path, { cause }));
  }
}

async function blockingLater<Answer>(path: string, work: () => Answer): Promise<Answer> {
  await setImmediate();
  sliceStartMs = performance.now();
  return blocking(path, work);
}

function folderEntry(entry: Dirent): FolderEntry {
  return { name: entry.name, kind: kindOf(entry) };
}

function fileStat(found: Stats): FileStat {
  const kind = kindOf(found);
  return { kind: kind === "link" ? "special" : kind, size: found.size, mtimeMs: found.mtimeMs, ctimeMs: found.ctimeMs };
}

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

/**
 * The absolute path of the user's own ignore file: the value of `core.excludesFile` in the absolute
 * `folder`, or else `git/ignore` in `XDG_CONFIG_HOME` or `~/.config`. The file need not exist.
 * Returns `undefined` when `core.excludesFile` is empty. When git fails, the default applies.
 *
 * Source: gitignore(5).
 */
async function gitExcludesFile(folder: string): Promise<string | undefined> {
  const answer = await gitConfigPath(folder, "core.excludesFile");
  const path = answer.kind === "answer" ? answer.value : undefined;
  if (path === "") return undefined;
  if (path === undefined) {
    const config = process.env["XDG_CONFIG_HOME"] || join(process.env["HOME"] || homedir(), ".config");
    return toPortablePath(join(config, "git/ignore"));
  }
  if (isAbsolute(path)) return toPortablePath(path);
  // Git resolves a relative path from the top of the work tree.
  const top = await runGit(folder, ["rev-parse", "--show-toplevel"], {});
  const from = top.kind === "answer" ? top.value.replace(/\r?\n$/, "") : folder;
  return toPortablePath(join(from, path));
}

/** `path` with `/` in place of this system's separator, as a `FileSystem` expects it. */
export function toPortablePath(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}

/**
 * A {@link Watch} of this machine's disk. Links are not followed.
 *
 * Only folders are watched, which report their files on every system. A watch on each file would
 * take three times as long to set up and soon reach the system's limit. With the environment
 * variable `CHOKIDAR_USEPOLLING` files are watched too, because a polled folder reports names only.
 */
export const watchDisk: Watch = async ({ paths, isExcluded, onChange, onError }) => {
  const requested = new Set(paths);
  const { watch } = await import("chokidar");
  const watcher = watch([...paths], {
    ignored: (name, stats) => {
      const path = toPortablePath(name);
      if (requested.has(path)) return false;
      if (stats === undefined) return isExcluded(path, undefined);
      if (stats.isDirectory()) return isExcluded(path, "folder");
      return !watcher.options.usePolling || isExcluded(path, "file");
    },
    ignoreInitial: true,
    ignorePermissionErrors: true,
    followSymlinks: false,
    // The receiver already combines saves by renaming; this option would only add a delay and hide
    // files named `*~`.
    atomic: false,
  });
  watcher.on("all", (_, path) => onChange(toPortablePath(path)));
  // Raw events of the system report the files in a folder and omit nothing. They contain the
  // watched path and, for a folder, a name in it. Which of the two it is remains open, so both are
  // reported.
  watcher.on("raw", (_, name, details: unknown) => {
    const watched = toPortablePath((details as { readonly watchedPath?: string } | undefined)?.watchedPath ?? "");
    if (watched === "") return;
    for (const path of name ? [watched, joinPath(watched, toPortablePath(name))] : [watched]) {
      if (!isExcluded(path, undefined)) onChange(path);
    }
  });
  watcher.on("error", onError);
  await new Promise<void>((resolve) => watcher.once("ready", resolve));
  return {
    add: (path) => void watcher.add(path),
    [Symbol.asyncDispose]: () => watcher.close(),
  };
};

/**
 * Writes the text of a file whole or not at all, by way of a file beside it that ends in `.new`.
 * The folder has to exist. `mode` is for the file; by default that of a new file. Rejects with the
 * system's error.
 */
export async function replaceFile(path: string, text: string, mode?: number): Promise<void> {
  await writeFile(`${path}.new`, text, { flush: true, ...(mode !== undefined && { mode }) });
  await rename(`${path}.new`, path);
}
