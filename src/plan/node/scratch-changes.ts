import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { type FileChange, type FileTexts, minimalEdit, type WorkspaceEdit, workspaceEdit } from "../../text/index.ts";
import { comparePaths, decodeText } from "../../workspace/index.ts";
import { readRegularFile } from "../../workspace/node/index.ts";
import { type CopiedFiles, stampOf } from "./copy-files.ts";

/** The differences of a scratch copy from its start. Paths are relative to the root of the copy. */
export interface ScratchChanges {
  /**
   * The changes of texts, for the workspace as it was copied. A moved file is deleted and created.
   */
  readonly edit: WorkspaceEdit;
  /** The texts at the start of all files that `edit` changes or deletes. */
  readonly before: FileTexts;
  /**
   * Other changed files and links: binary files, and files outside the root in the same repository.
   */
  readonly others: readonly string[];
}

/** The files of a scratch copy and their state at the start. All folders are absolute. */
export interface ScratchFiles {
  readonly top: string;
  readonly start: string;
  /** The path of the workspace's root from the top: empty, or with a trailing `/`. */
  readonly prefix: string;
  readonly copied: CopiedFiles;
}

/**
 * Compares the existing files at `paths` (relative to the top) and the copied files with their
 * state at the start. Rejects with the system's error where a file cannot be read. Changes other
 * than those of text files in the workspace, such as of links and binary files, are in `others`.
 */
export async function scratchChanges(paths: Iterable<string>, files: ScratchFiles): Promise<ScratchChanges> {
  const { top, start, prefix, copied } = files;
  const changes: FileChange[] = [];
  const before = new Map<string, string>();
  const others: string[] = [];
  const all = new Set([...paths, ...copied.stamps.keys(), ...copied.links.keys()]);
  for (const path of Array.from(all).sort(comparePaths)) {
    const wasFile = copied.stamps.has(path);
    const wasLink = copied.links.get(path);
    const now = await lstat(join(top, path)).catch(() => undefined);
    if (now === undefined && !wasFile && wasLink === undefined) continue;
    if (now?.isFile() === true && wasFile && (await stampOf(join(top, path))) === copied.stamps.get(path)) continue;
    if (now?.isSymbolicLink() === true && wasLink !== undefined && (await readlink(join(top, path))) === wasLink)
      continue;
    const uri = path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
    const isFile = now === undefined || now.isFile();
    const texts = {
      before: wasFile ? await tryText(join(start, path)) : undefined,
      after: now?.isFile() === true ? await tryText(join(top, path)) : undefined,
    };
    const isText = (!wasFile || texts.before !== undefined) && (now === undefined || texts.after !== undefined);
    if (isText && texts.before === texts.after && wasFile && isFile) continue;
    if (uri === undefined || !isFile || wasLink !== undefined || !isText) {
      others.push(uri ?? path);
      continue;
    }
    if (texts.before !== undefined) before.set(uri, texts.before);
    if (texts.after === undefined) changes.push({ kind: "delete", uri });
    else if (texts.before === undefined) changes.push({ kind: "create", uri, text: texts.after });
    else changes.push({ kind: "edit", uri, edit: minimalEdit(texts.before, texts.after) });
  }
  return { edit: workspaceEdit(changes), before, others };
}

async function tryText(path: string): Promise<string | undefined> {
  const decoded = decodeText(await readRegularFile(path));
  return decoded.kind === "text" ? decoded.text : undefined;
}
