import { constants } from "node:fs";
import { basename, dirname } from "node:path";
import { joinPath, tryRelativePath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import { type EditDisk, systemCode } from "../../edit/node/index.ts";

/**
 * Calls `work` for the folder at an absolute path, links resolved, inside of `root`, with the path
 * to use for names in it. Returns `undefined` where the path does not lead to that folder any more,
 * such as after a link was put into it.
 *
 * On Linux the folder is held open and used by its descriptor, so that no other folder is written
 * to even if it is renamed meanwhile. Other systems have no such paths: there the path is checked
 * once before, which leaves a race.
 */
export async function inFolder<Answer>(
  root: string,
  folder: string,
  disk: EditDisk,
  work: (path: string) => Promise<Answer>,
): Promise<Answer | undefined> {
  if (tryRelativePath(root, folder) === undefined) return undefined;
  if (process.platform !== "linux") {
    return toPortablePath(await disk.realpath(folder)) === folder ? work(folder) : undefined;
  }
  const handle = await disk.open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    // Source: proc(5), "/proc/pid/fd/": links to open files, whose target is the current path.
    const held = `/proc/self/fd/${handle.fd}`;
    return (await disk.readlink(held)) === folder ? await work(held) : undefined;
  } finally {
    await handle.close();
  }
}

/**
 * Creates the missing folders up to `folder`, each in the one above it. Returns them, the outermost
 * first.
 */
export async function makeFolders(root: string, folder: string, disk: EditDisk): Promise<readonly string[]> {
  if (await isThere(folder, disk)) return [];
  const above = toPortablePath(dirname(folder));
  const made = await makeFolders(root, above, disk);
  const isMade = await inFolder(root, above, disk, (held) =>
    disk.mkdir(joinPath(held, basename(folder))).then(() => true),
  );
  return isMade === true ? [...made, folder] : made;
}

/** Removes the folders that {@link makeFolders} created, as far as they are empty. */
export async function removeMadeFolders(root: string, made: readonly string[], disk: EditDisk): Promise<void> {
  for (const folder of [...made].reverse()) {
    const remove = (held: string) => disk.rmdir(joinPath(held, basename(folder)));
    await inFolder(root, toPortablePath(dirname(folder)), disk, remove).catch(() => undefined);
  }
}

async function isThere(folder: string, disk: EditDisk): Promise<boolean> {
  try {
    if ((await disk.lstat(folder)).isDirectory()) return true;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return false;
    throw error;
  }
  throw Object.assign(new Error(`Something else exists where the folder ${folder} is to be created.`), {
    code: "ENOTDIR",
  });
}
