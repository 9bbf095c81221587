import { isUtf8 } from "node:buffer";
import {
  decodeText,
  folderOf,
  holdsPrivateKey,
  IgnoreTree,
  joinPath,
  printSkipReason,
  tryRelativePath,
} from "../../codebase/index.ts";
import { disk as readingDisk } from "../../codebase/node/index.ts";
import { languageOf } from "../../syntax/index.ts";
import type { EditFile } from "../edit-request.ts";
import { type EditDisk, systemDisk } from "./edit-disk.ts";
import { findPlace, kindAt, refusalOfError } from "./edit-place.ts";
import { type FileRefusal, fileRefusal } from "./file-refusal.ts";
import { realRootOf } from "./with-journal.ts";

/** Larger files are refused, in bytes: enough for 100,000 lines of 200 characters. */
export const maxEditBytes = 20_000_000;

/** How files are read to be edited. */
export interface ReadEditOptions {
  /** Larger files are refused; {@link maxEditBytes} unless told. */
  readonly maxBytes?: number;
  /** The absolute path of the person's own ignore file, git's `core.excludesFile`. */
  readonly excludesFile?: string;
  /** Whether files may be named that are not there yet; they are refused unless told. */
  readonly mayBeNew?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly disk?: EditDisk;
}

/** Files that were read, those that were not, and what a person should know of the former. */
export interface ReadEditFiles {
  readonly files: readonly EditFile[];
  /** The paths, from the root, of files that are not there yet and may be made. */
  readonly newPaths: readonly string[];
  readonly refusals: readonly FileRefusal[];
  /** Sentences, such as that an ignored file was read because it was asked for by name. */
  readonly notes: readonly string[];
}

/**
 * Reads files that a person named to have them edited, just as they are: a byte order mark and all line endings stay in
 * the text, and encoding it as UTF-8 gives the bytes again.
 *
 * `root` is the absolute path of the workspace, `paths` are relative to it or absolute. A file that is ignored is read all
 * the same, since somebody named it; a secret one never is. Through links only what lies in the workspace is read.
 * Rejects with the signal's own reason, and with `EmendError` `file-missing` where there is no workspace.
 */
export async function readEditFiles(
  root: string,
  paths: readonly string[],
  options: ReadEditOptions = {},
): Promise<ReadEditFiles> {
  const { disk = systemDisk, maxBytes = maxEditBytes, mayBeNew = false, signal } = options;
  const realRoot = await realRootOf(root, disk);
  const rules = new Rules(realRoot, options.excludesFile);
  const files: EditFile[] = [];
  const newPaths = new Set<string>();
  const refusals: FileRefusal[] = [];
  const notes: string[] = [];
  /** The path by which each file was read first. */
  const seen = new Map<string, string>();
  for (const asked of paths) {
    signal?.throwIfAborted();
    const answer = await findPlace(realRoot, asked, disk);
    if (answer.kind === "refused") {
      refusals.push(answer.refusal);
      continue;
    }
    const { path, target, holds } = answer.place;
    const before = seen.get(target);
    if (before === path) continue;
    if (before !== undefined) {
      refusals.push(fileRefusal("same-file", asked, before));
      continue;
    }
    if (holds === "nothing" && mayBeNew) {
      const blocked = await tryFileAbove(realRoot, target, disk);
      if (blocked === undefined) newPaths.add(path);
      else refusals.push(fileRefusal("no-folder", asked, blocked));
      continue;
    }
    const text =
      holds === "nothing" ? fileRefusal("missing", asked) : await readText(asked, target, { disk, maxBytes });
    if (typeof text !== "string") {
      refusals.push(text);
      continue;
    }
    seen.set(target, path);
    files.push({ path, text, language: languageOf(path, firstLineOf(text)).id });
    const ignored = await rules.tryNote(tryRelativePath(realRoot, target)!);
    if (ignored !== undefined) notes.push(`${path} is ${ignored}; it was read because you named it.`);
  }
  signal?.throwIfAborted();
  return { files, newPaths: [...newPaths], refusals, notes };
}

/** What stands where a new file needs a folder, from the root; `undefined` where nothing is in its way. */
async function tryFileAbove(realRoot: string, target: string, disk: EditDisk): Promise<string | undefined> {
  for (let above = folderOf(target); above.length > realRoot.length; above = folderOf(above)) {
    const holds = await kindAt(above, disk);
    if (holds === "folder") return undefined;
    if (holds !== "nothing") return tryRelativePath(realRoot, above);
  }
  return undefined;
}

/** The text of the file at the absolute path `target`, which was asked for as `path`. */
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
    const bytes = await disk.readFile(target);
    // The file may have grown since.
    if (bytes.length > maxBytes) return tooLarge(bytes.length);
    const decoded = decodeText(bytes);
    if (decoded.kind === "binary") return fileRefusal("binary", path, decoded.detail);
    if (decoded.kind === "not-utf-8") return fileRefusal("not-utf-8", path, tryBadByte(bytes) ?? decoded.detail);
    return holdsPrivateKey(decoded.text) ? fileRefusal("secret", path, "what is in it: a private key") : decoded.text;
  } catch (error) {
    return refusalOfError(error, path);
  }
}

/** Where bytes stop being UTF-8; `undefined` where their first ones say that they are another encoding. */
function tryBadByte(bytes: Buffer): string | undefined {
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) return undefined;
  // The longest prefix that can still become UTF-8 ends where the first wrong byte is: bisect, since that is monotone.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (canBecomeUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // The character that it cuts short begins up to three bytes earlier.
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

/** The ignore rules of a workspace, read as they are asked for. */
class Rules {
  readonly #root: string;
  readonly #excludesFile: string | undefined;
  #tree: Promise<IgnoreTree> | undefined;
  readonly #loaded = new Map<string, Promise<void>>();

  constructor(root: string, excludesFile: string | undefined) {
    this.#root = root;
    this.#excludesFile = excludesFile;
  }

  /** By what a file is ignored, if it is. */
  async tryNote(path: string): Promise<string | undefined> {
    await this.#load(folderOf(path));
    const rule = (await this.#open()).decide(path, false);
    return rule?.excluded === true ? printSkipReason({ kind: "ignored", rule }) : undefined;
  }

  #open(): Promise<IgnoreTree> {
    const [root, excludesFile] = [this.#root, this.#excludesFile];
    this.#tree ??= IgnoreTree.open({ fileSystem: readingDisk, root, ignoreCase: false, excludesFile });
    return this.#tree;
  }

  #load(folder: string): Promise<void> {
    const known = this.#loaded.get(folder);
    if (known !== undefined) return known;
    const loading = this.#loadAnew(folder);
    this.#loaded.set(folder, loading);
    return loading;
  }

  async #loadAnew(folder: string): Promise<void> {
    if (folder !== "") await this.#load(folderOf(folder));
    const entries = await readingDisk.readFolder(joinPath(this.#root, folder));
    await (await this.#open()).load(folder, entries);
  }
}
