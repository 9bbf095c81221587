import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { type EditDisk, isMissing, systemCode } from "./edit-disk.ts";

/** What exists at a path. A link counts as its target path, not as the file it leads to. */
export type PathState =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "file";
      readonly bytes: Buffer;
      /** The permission bits; by default those of the existing file, or those of a new file. */
      readonly mode?: number;
    }
  | { readonly kind: "link"; readonly target: string }
  /** A folder, a pipe or a device. */
  | { readonly kind: "other" };

/** A state that can be written to a path. */
export type PutState = Exclude<PathState, { readonly kind: "other" }>;

/**
 * Reads the current state of an absolute path: `nothing` where it does not exist. Rejects with any
 * other error of the disk, such as a missing permission.
 */
export async function stateAt(path: string, disk: EditDisk): Promise<PathState> {
  try {
    const found = await disk.lstat(path);
    if (found.isSymbolicLink()) return { kind: "link", target: await disk.readlink(path) };
    if (!found.isFile()) return { kind: "other" };
    return { kind: "file", bytes: await disk.readFile(path), mode: permissions(found) };
  } catch (error) {
    if (isMissing(error)) return { kind: "nothing" };
    throw error;
  }
}

/**
 * Reads the current states of absolute paths, one for each path, in their order. Of paths that
 * differ only in case, just the one counts whose name is in the folder, and the others are
 * `nothing`: a case-insensitive disk finds its file under all of them. Rejects as {@link stateAt}
 * does.
 */
export async function statesAt(paths: readonly string[], disk: EditDisk): Promise<readonly PathState[]> {
  const seen = new Map<string, number>();
  for (const path of paths) seen.set(path.toLowerCase(), (seen.get(path.toLowerCase()) ?? 0) + 1);
  const states: PathState[] = [];
  for (const path of paths) {
    const state = await stateAt(path, disk);
    const hasTwin = seen.get(path.toLowerCase())! > 1;
    const isThere =
      !hasTwin || state.kind === "nothing" || (await disk.readdir(dirname(path))).includes(basename(path));
    states.push(isThere ? state : { kind: "nothing" });
  }
  return states;
}

/**
 * Whether two states have the same bytes or are links to the same target; two missing paths are the
 * same. Permissions do not count.
 */
export function isSameState(one: PathState, other: PathState): boolean {
  if (one.kind === "file") return other.kind === "file" && one.bytes.equals(other.bytes);
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return one.kind === other.kind;
}

/**
 * Writes the state planned for `path` into the new file `temporary`, and syncs it to disk. An
 * existing file at `path` determines its owner, and its permissions unless the state has its own.
 *
 * Rejects with the disk's error, such as `EEXIST` where `temporary` exists; a partly written file
 * may then remain there.
 */
export async function stageState(
  temporary: string,
  path: string,
  state: Exclude<PutState, { readonly kind: "nothing" }>,
  disk: EditDisk,
): Promise<void> {
  if (state.kind === "link") return disk.symlink(state.target, temporary);
  const existing = await disk.lstat(path).catch(orNothing);
  const mode = state.mode ?? (existing?.isFile() === true ? permissions(existing) : undefined);
  // Restrictive permissions until the file has its final ones, so that no other user reads the
  // text.
  const handle = await disk.open(temporary, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(state.bytes);
    if (mode !== undefined && process.platform !== "win32") {
      if (existing?.isFile() === true) await keepOwner(handle, existing);
      await handle.chmod(mode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Moves the staged file `temporary` to `path`, over an existing file unless `isNew`: then nothing
 * may exist there, and it rejects with `EEXIST` otherwise. Rejects with the disk's error.
 */
export async function placeStaged(
  temporary: string,
  path: string,
  { isNew, disk }: { readonly isNew: boolean; readonly disk: EditDisk },
): Promise<void> {
  if (!isNew) return moveOver(temporary, path, disk);
  try {
    // Creating a hard link fails where a file exists; renaming does not.
    await disk.link(temporary, path);
  } catch (error) {
    if (!noSecondNames.has(systemCode(error))) throw error;
    if ((await stateAt(path, disk)).kind !== "nothing") throw Object.assign(new Error(path), { code: "EEXIST" });
    return moveOver(temporary, path, disk);
  }
  await disk.unlink(temporary);
}

/** The error codes of disks without hard links. */
const noSecondNames = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "EISDIR"]);

/**
 * Renames a file over another. Retries on Windows, which refuses while another program has the
 * target open.
 */
async function moveOver(from: string, to: string, disk: EditDisk): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await disk.rename(from, to);
    } catch (error) {
      if (process.platform !== "win32" || attempt === 5) throw error;
      await new Promise((resolve) => setTimeout(resolve, 40 * attempt));
    }
  }
}

/**
 * Syncs the entries of a folder to disk. Does nothing on Windows. Errors of the disk are ignored,
 * since some systems do not support it; errors without a system code are thrown.
 */
export async function syncFolder(folder: string, disk: EditDisk): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const handle = await disk.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === "") throw error;
  }
}

type Handle = Awaited<ReturnType<EditDisk["open"]>>;

async function keepOwner(handle: Handle, { uid, gid }: Stats): Promise<void> {
  const fresh = await handle.stat();
  if (fresh.uid === uid && fresh.gid === gid) return;
  try {
    await handle.chown(uid, gid);
  } catch (error) {
    // Only a privileged user may change the owner; the file keeps what is possible.
    if (systemCode(error) === "") throw error;
  }
}

function permissions(found: Stats): number {
  return found.mode & 0o7777;
}

function orNothing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
