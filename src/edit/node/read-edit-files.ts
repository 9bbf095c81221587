import { isUtf8 } from "node:buffer";
import { languageOf } from "../../syntax/index.ts";
import {
  AccessRules,
  decodeText,
  folderOf,
  holdsPrivateKey,
  printSkipReason,
  tryRelativePath,
} from "../../workspace/index.ts";
import { disk as readingDisk } from "../../workspace/node/index.ts";
import type { EditFile } from "../edit-request.ts";
import { type EditDisk, systemDisk } from "./edit-disk.ts";
import { findPlace, kindAt, refusalOfError } from "./edit-place.ts";
import { type FileRefusal, fileRefusal } from "./file-refusal.ts";
import { realRootOf } from "./with-journal.ts";

/** The size limit for files, in bytes: enough for 100,000 lines of 200 characters. */
export const maxEditBytes = 20_000_000;

/** The options of {@link readEditFiles}. */
export interface ReadEditOptions {
  /** Larger files are refused, in bytes; {@link maxEditBytes} by default. */
  readonly maxBytes?: number;
  /**
   * The absolute path of the user's own ignore file, git's `core.excludesFile`; by default git is
   * called for it.
   */
  readonly excludesFile?: string;
  /** Whether paths of files that do not exist yet are accepted; by default they are refused. */
  readonly mayBeNew?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly disk?: EditDisk;
}

/** The files that were read, those that were refused, and notes for a person. */
export interface ReadEditFiles {
  readonly files: readonly EditFile[];
  /** The paths, from the root, of files that do not exist yet and may be created. */
  readonly newPaths: readonly string[];
  readonly refusals: readonly FileRefusal[];
  /** Sentences, such as that an ignored file was read because it was named. */
  readonly notes: readonly string[];
}

/**
 * Reads files that a person named for an edit, exactly: byte order mark and line endings stay in
 * the text, and encoding it as UTF-8 gives the same bytes.
 *
 * `root` is the absolute path of the workspace; `paths` are relative to it or absolute. A file that
 * git ignores is read, since the person named it; one that is secret or ignored for models never
 * is, by whatever path or link. Links are followed only within the workspace.
 * Rejects with the signal's own reason, and with `EmendError` code `file-missing` where there is no
 * workspace.
 */
export async function readEditFiles(
  root: string,
  paths: readonly string[],
  options: ReadEditOptions = {},
): Promise<ReadEditFiles> {
  const { disk = systemDisk, maxBytes = maxEditBytes, mayBeNew = false, signal } = options;
  const realRoot = await realRootOf(root, disk);
  const { excludesFile } = options;
  const rules = new AccessRules({ fileSystem: readingDisk, root: realRoot, excludesFile });
  const files: EditFile[] = [];
  const newPaths = new Set<string>();
  const refusals: FileRefusal[] = [];
  const notes: string[] = [];
  /** The path under which each file was read first. */
  const seen = new Map<string, string>();
  for (const requestedPath of paths) {
    signal?.throwIfAborted();
    const answer = await findPlace(realRoot, requestedPath, disk);
    if (answer.kind === "refused") {
      refusals.push(answer.refusal);
      continue;
    }
    const { path, target, holds } = answer.place;
    const before = seen.get(target);
    if (before === path) continue;
    if (before !== undefined) {
      refusals.push(fileRefusal("same-file", requestedPath, before));
      continue;
    }
    await rules.prepare(path);
    const verdict = rules.verdict(path);
    if (verdict.kind === "ignored" && verdict.from === "models") {
      refusals.push(fileRefusal("ignored", requestedPath, verdict.by));
      continue;
    }
    if (holds === "nothing" && mayBeNew) {
      const blocked = await tryFileAbove(realRoot, target, disk);
      if (blocked === undefined) newPaths.add(path);
      else refusals.push(fileRefusal("no-folder", requestedPath, blocked));
      continue;
    }
    const text =
      holds === "nothing"
        ? fileRefusal("missing", requestedPath)
        : await readText(requestedPath, target, { disk, maxBytes });
    if (typeof text !== "string") {
      refusals.push(text);
      continue;
    }
    seen.set(target, path);
    files.push({ path, text, language: languageOf(path, firstLineOf(text)).id });
    if (verdict.kind !== "ignored") continue;
    notes.push(`${path} is ${printSkipReason(verdict)}; it was read because you named it.`);
  }
  signal?.throwIfAborted();
  return { files, newPaths: [...newPaths], refusals, notes };
}

/**
 * The path from the root at which something other than a folder blocks a new file; `undefined`
 * where nothing does.
 */
async function tryFileAbove(realRoot: string, target: string, disk: EditDisk): Promise<string | undefined> {
  for (let above = folderOf(target); above.length > realRoot.length; above = folderOf(above)) {
    const holds = await kindAt(above, disk);
    if (holds === "folder") return undefined;
    if (holds !== "nothing") return tryRelativePath(realRoot, above);
  }
  return undefined;
}

/** Reads the text of the file at the absolute path `target`, requested as `path`. */
async function readText(
  path: string,
  target: string,
  { disk, maxBytes }: { readonly disk: EditDisk; readonly maxBytes: number },
): Promise<string | FileRefusal> {
  try {
    const found = await disk.stat(target);
    if (found.isDirectory()) return fileRefusal("folder", path);
    if (!found.isFile()) return fileRefusal("special", path);
    const tooLarge = (size: number) => fileRefusal("oversized", path, `${size} bytes, more than ${maxBytes}`);
    if (found.size > maxBytes) return tooLarge(found.size);
    // The file may have been replaced or have grown since.
    const bytes = await disk.readFile(target, { maxBytes });
    if (bytes.length > maxBytes) return tooLarge(bytes.length);
    const decoded = decodeText(bytes);
    if (decoded.kind === "binary") return fileRefusal("binary", path, decoded.detail);
    if (decoded.kind === "not-utf-8") return fileRefusal("not-utf-8", path, tryBadByte(bytes) ?? decoded.detail);
    return holdsPrivateKey(decoded.text) ? fileRefusal("secret", path, "what is in it: a private key") : decoded.text;
  } catch (error) {
    return refusalOfError(error, path);
  }
}

/**
 * Describes where bytes stop being UTF-8; `undefined` where a mark of another encoding begins them.
 */
function tryBadByte(bytes: Buffer): string | undefined {
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) return undefined;
  // The longest prefix that can still become UTF-8 ends at the first wrong byte. Bisect, since that
  // is monotone.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canBecomeUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // The character that the prefix cuts short begins up to three bytes earlier.
  let start = good;
  while (!isUtf8(bytes.subarray(0, start))) start -= 1;
  const line = bytes.subarray(0, start).filter((byte) => byte === 10).length + 1;
  return `byte ${start}, in line ${line}, begins no character of it`;
}

function canBecomeUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function firstLineOf(text: string): string {
  return /^\uFEFF?([^\r\n]{0,300})/.exec(text)?.[1] ?? "";
}
