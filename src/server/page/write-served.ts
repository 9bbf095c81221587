import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { decodeText, joinPath } from "../../codebase/index.ts";
import { toPortablePath } from "../../codebase/node/index.ts";
import {
  type EditDisk,
  type FileRefusal,
  fileRefusal,
  isMissing,
  placeStaged,
  refusalOfError,
  stageState,
  syncFolder,
  systemCode,
} from "../../edit/node/index.ts";
import { inFolder, makeFolders, removeMadeFolders } from "./held-folder.ts";
import { keepForm } from "./keep-form.ts";
import { changedMeanwhile, diskFull, type PageRefusal, refusalOfFile } from "./page-refusal.ts";
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
 * before the new text is moved into its place.
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

/** Removes a file; for a link only the link itself. */
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
