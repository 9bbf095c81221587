import type { Stats } from "node:fs";
import { basename, dirname } from "node:path";
import { type EditDisk, isMissing, systemCode } from "./edit-disk.ts";

/** What is at a path. A link is what it says, not what it leads to. */
export type PathState =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "file";
      readonly bytes: Buffer;
      /** The permission bits; unless told those of the file that is there, or of any new file. */
      readonly mode?: number;
    }
  | { readonly kind: "link"; readonly target: string }
  /** A folder, a pipe, a device. */
  | { readonly kind: "other" };

/** What can be put at a path. */
export type PutState = Exclude<PathState, { readonly kind: "other" }>;

/** What is at an absolute path now. */
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
 * What is at each of these absolute paths now, in their order. Of paths that differ by case only, just the one counts
 * whose name the folder really has: a disk where case makes no difference finds its file by all of them.
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

/** Whether two states hold the same; permissions do not count. */
export function isSameState(one: PathState, other: PathState): boolean {
  if (one.kind === "file") return other.kind === "file" && one.bytes.equals(other.bytes);
  if (one.kind === "link") return other.kind === "link" && one.target === other.target;
  return one.kind === other.kind;
}

/**
 * Writes what is to stand at `path` into the new file `temporary`, through to the disk. A file that is there already
 * gives its owner, and its permissions unless the state has its own.
 */
export async function stageState(
  temporary: string,
  path: string,
  state: Exclude<PutState, { readonly kind: "nothing" }>,
  disk: EditDisk,
): Promise<void> {
  if (state.kind === "link") return disk.symlink(state.target, temporary);
  const there = await disk.lstat(path).catch(orNothing);
  const mode = state.mode ?? (there?.isFile() === true ? permissions(there) : undefined);
  // Nobody else reads the text before the permissions are those of the file.
  const handle = await disk.open(temporary, "wx", mode === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(state.bytes);
    if (mode !== undefined && process.platform !== "win32") {
      if (there?.isFile() === true) await keepOwner(handle, there);
      await handle.chmod(mode);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Puts what was staged in its place. `isNew` says that there must be nothing yet: it rejects with `EEXIST` if there is. */
export async function placeStaged(
  temporary: string,
  path: string,
  { isNew, disk }: { readonly isNew: boolean; readonly disk: EditDisk },
): Promise<void> {
  if (!isNew) return moveOver(temporary, path, disk);
  try {
    // A second name fails where there is a file, which moving does not.
    await disk.link(temporary, path);
  } catch (error) {
    if (!noSecondNames.has(systemCode(error))) throw error;
    if ((await stateAt(path, disk)).kind !== "nothing") throw Object.assign(new Error(path), { code: "EEXIST" });
    return moveOver(temporary, path, disk);
  }
  await disk.unlink(temporary);
}

/** What disks say that do not know of second names. */
const noSecondNames = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL", "EISDIR"]);

/** Windows refuses to move over a file that another program has open; it has often soon read it. */
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

/** Has the system write down which names a folder holds. Where it cannot, the names are written down when it likes. */
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
    // Only the system's owner may give files away; what can be kept is kept.
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
