import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname } from "node:path";
import {
  type EditDisk,
  type FileRefusal,
  fileRefusal,
  isMissing,
  keepForm,
  placeStaged,
  refusalOfError,
  stageState,
  syncFolder,
  systemCode,
} from "../../edit/node/index.ts";
import { decodeText, joinPath, tryRelativePath } from "../../workspace/index.ts";
import { toPortablePath } from "../../workspace/node/index.ts";
import { changedMeanwhile, diskFull, type PageRefusal, refusalOfFile } from "./answer.ts";
import { hashOf, maxServedBytes, readServedFile } from "./read-served.ts";
import { resolveServedPath, type ServedPath, type ServedRoot } from "./resolve-served-path.ts";

/** What a file must be for a change to be written. */
export type Precondition =
  /** The hash of its bytes. */
  | { readonly kind: "unchanged"; readonly hash: string }
  /** The file does not exist. */
  | { readonly kind: "new" };

/** The result of a write. `hash` is that of the file's new bytes. */
export type WriteAnswer =
  | { readonly kind: "written"; readonly hash: string }
  | { readonly kind: "refused"; readonly refusal: PageRefusal };

/** The result of a removal. */
export type RemoveAnswer = { readonly kind: "removed" } | { readonly kind: "refused"; readonly refusal: PageRefusal };

/**
 * Saves a text, given as its bytes in UTF-8, like an editor: atomically, with the byte order mark,
 * line endings, mode and owner of the existing file, and through links. Missing folders are
 * created. A file with hard links is refused.
 *
 * The caller must run changes one after the other. Writes of other programs are noticed until right
 * before the new text is moved into its place. Returns the hash of the new content, or `refused`:
 * where `when` does not hold, the text is not UTF-8 or is too large, it may not be written there,
 * or the disk fails.
 */
export async function writeServedFile(
  { root, disk }: ServedRoot,
  { path, bytes, when }: { readonly path: string; readonly bytes: Uint8Array; readonly when: Precondition },
): Promise<WriteAnswer> {
  const text = decodeText(bytes);
  if (text.kind !== "text") return refuse(fileRefusal(text.kind, path, text.detail));
  const found = await resolveServedPath(root, path, disk);
  if (found.kind === "refused") return refuse(found.refusal);
  const { place } = found;
  if (place.holds === "folder" || place.holds === "special") return refuse(fileRefusal(place.holds, path));

  let content = Buffer.from(bytes);
  if (place.holds === "file") {
    const before = await readServedFile(root, path, disk);
    if (before.kind === "refused") return refuse(before.refusal);
    if (when.kind === "new") return refuse(fileRefusal("exists", path));
    if (before.hash !== when.hash) return stale(path);
    content = Buffer.from(keepForm(before.text, text.text));
    if (hashOf(content) === before.hash) return { kind: "written", hash: before.hash };
    if (!(await isWritable(place.real, disk))) return refuse(fileRefusal("read-only", path));
    // A new file in this place would leave the other hard links with the old text.
    const { nlink } = await disk.stat(place.real);
    if (nlink > 1) return refuse(fileRefusal("hard-link", path, `${nlink}`));
  } else if (when.kind === "unchanged") return stale(path);
  if (content.length > maxServedBytes) {
    return refuse(fileRefusal("oversized", path, `more than ${maxServedBytes.toLocaleString("en")} bytes`));
  }

  const folder = toPortablePath(dirname(place.real));
  let made: readonly string[] = [];
  try {
    made = await makeFolders(root, folder, disk);
    const isPut = await inFolder(root, folder, disk, (held) => put(held, { root, disk, place, content, when }));
    if (isPut === true) return { kind: "written", hash: hashOf(content) };
    await removeMadeFolders(root, made, disk);
    return stale(path);
  } catch (error) {
    await removeMadeFolders(root, made, disk);
    return { kind: "refused", refusal: refusalOfWriting(error, path) };
  }
}

/**
 * Removes a file; for a link only the link itself. `refused` where the hash of its content is not
 * `hash`, it cannot be read as text, or the disk fails.
 */
export async function removeServedFile(
  { root, disk }: ServedRoot,
  { path, hash }: { readonly path: string; readonly hash: string },
): Promise<RemoveAnswer> {
  const before = await readServedFile(root, path, disk);
  if (before.kind === "refused") return refuse(before.refusal);
  if (before.hash !== hash) return stale(path);
  const { entry } = before.place;
  try {
    const isRemoved = await inFolder(root, toPortablePath(dirname(entry)), disk, async (held) => {
      await disk.unlink(joinPath(held, basename(entry)));
      await syncFolder(held, disk);
      return true;
    });
    return isRemoved === true ? { kind: "removed" } : stale(path);
  } catch (error) {
    return { kind: "refused", refusal: refusalOfWriting(error, path) };
  }
}

/** A content, and the path it is for. */
interface Content extends ServedRoot {
  readonly place: ServedPath;
  readonly content: Buffer;
  readonly when: Precondition;
}

/**
 * Moves a content into its place, in the folder held open as `folder`; `false` where another file
 * is there by now.
 */
async function put(folder: string, { root, disk, place, content, when }: Content): Promise<boolean> {
  const target = joinPath(folder, basename(place.real));
  const temporary = joinPath(folder, `.emend-${randomUUID().slice(0, 8)}-0.tmp`);
  try {
    await stageState(temporary, target, { kind: "file", bytes: content }, disk);
    if (when.kind === "unchanged") {
      const now = await readServedFile(root, place.path, disk);
      if (now.kind === "refused" || now.place.real !== place.real || now.hash !== when.hash) return false;
    }
    await placeStaged(temporary, target, { isNew: when.kind === "new", disk });
    await syncFolder(folder, disk);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await disk.unlink(temporary).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
  }
}

/** Whether a file may be overwritten; renaming another file over it would not check that. */
async function isWritable(path: string, disk: EditDisk): Promise<boolean> {
  if (((await disk.stat(path)).mode & 0o222) === 0) return false;
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function refusalOfWriting(error: unknown, path: string): PageRefusal {
  switch (systemCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return diskFull(path);
    case "ENOTDIR":
    case "EEXIST":
      return refusalOfFile(fileRefusal("no-folder", path, dirname(path)));
    case "EROFS":
      return refusalOfFile(fileRefusal("read-only", path));
    default:
      return refusalOfFile(refusalOfError(error, path));
  }
}

function refuse(refusal: FileRefusal): { readonly kind: "refused"; readonly refusal: PageRefusal } {
  return { kind: "refused", refusal: refusalOfFile(refusal) };
}

function stale(path: string): { readonly kind: "refused"; readonly refusal: PageRefusal } {
  return { kind: "refused", refusal: changedMeanwhile(path) };
}

/**
 * Calls `work` for the folder at an absolute path, links resolved, inside of `root`, with the path
 * to use for names in it. Returns `undefined` where the path does not lead to that folder any more,
 * such as after a link was put into it.
 *
 * On Linux the folder is held open and used by its descriptor, so that no other folder is written
 * to even if it is renamed meanwhile. Other systems have no such paths: there the path is checked
 * once before, which leaves a race.
 */
async function inFolder<Answer>(
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
async function makeFolders(root: string, folder: string, disk: EditDisk): Promise<readonly string[]> {
  if (await isThere(folder, disk)) return [];
  const above = toPortablePath(dirname(folder));
  const made = await makeFolders(root, above, disk);
  const isMade = await inFolder(root, above, disk, (held) =>
    disk.mkdir(joinPath(held, basename(folder))).then(() => true),
  );
  return isMade === true ? [...made, folder] : made;
}

/** Removes the folders that {@link makeFolders} created, as far as they are empty. */
async function removeMadeFolders(root: string, made: readonly string[], disk: EditDisk): Promise<void> {
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
