import { constants } from "node:fs";
import { basename, dirname } from "node:path";
import { joinPath, tryRelativePath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import { type EditDisk, systemCode } from "../../edit/node/index.ts";

/**
 * Does something in the folder at an absolute path with links resolved, inside of `root`, given the path to name what is in it by. Answers
 * `undefined` where that folder is not what is there, since somebody has put a link into the path.
 *
 * On Linux the folder is held open, and named by that: whatever is done with its name meanwhile, no other folder is written to. Other systems
 * have no such names. There its path is looked at now, and whoever exchanges it within the same moment wins.
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
    // Source: proc(5), "/proc/pid/fd/": links to what is open, which say its path as it is now.
    const held = `/proc/self/fd/${handle.fd}`;
    return (await disk.readlink(held)) === folder ? await work(held) : undefined;
  } finally {
    await handle.close();
  }
}

/** Makes the folders that are missing up to `folder`, each in the one above it; answers them, the outermost first. */
export async function makeFolders(root: string, folder: string, disk: EditDisk): Promise<readonly string[]> {
  if (await isThere(folder, disk)) return [];
  const above = toPortablePath(dirname(folder));
  const made = await makeFolders(root, above, disk);
  const isMade = await inFolder(root, above, disk, (held) =>
    disk.mkdir(joinPath(held, basename(folder))).then(() => true),
  );
  return isMade === true ? [...made, folder] : made;
}

/** Removes folders that {@link makeFolders} made, as far as nothing is in them. */
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
  throw Object.assign(new Error(`There is something else where the folder ${folder} is to be.`), { code: "ENOTDIR" });
}
