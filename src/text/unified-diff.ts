import { diffSequences, type SequenceChange } from "./diff-sequences.ts";
import { quotePath } from "./git-path.ts";
import type { FileTexts, WorkspaceEdit } from "./workspace-edit.ts";

/** The change of one file in a patch, as plain data. */
export interface FilePatch {
  readonly kind: "modify" | "create" | "delete" | "rename" | "copy";
  /** The path before, without the `a/` of the header; `undefined` when it is created. */
  readonly pathBefore: string | undefined;
  /** The path after, without the `b/` of the header; `undefined` when it is deleted. */
  readonly pathAfter: string | undefined;
  /** Whether the content is binary, which no hunk describes. */
  readonly isBinary: boolean;
  /** The changed places, from top to bottom. */
  readonly hunks: readonly PatchHunk[];
}

/**
 * A changed place with the lines around it. Line indexes start at 0, unlike the numbers in the
 * header.
 */
export interface PatchHunk {
  readonly beforeStart: number;
  readonly beforeCount: number;
  readonly afterStart: number;
  readonly afterCount: number;
  /** What follows the numbers in the header, often the function around the hunk; may be empty. */
  readonly heading: string;
  readonly lines: readonly PatchLine[];
}

/**
 * A line of a hunk. In patches only `\n` ends a line; `text` includes it, except at the end of a
 * file without a final line ending.
 */
export interface PatchLine {
  readonly kind: "keep" | "delete" | "insert";
  readonly text: string;
}

/**
 * Prints a patch in the unified format with git's headers, which `git apply` and `patch -p1`
 * accept.
 *
 * Source: "Generating patch text with -p" in git's diff documentation; GNU diffutils, "Unified
 * Format".
 */
export function printFilePatch(patch: FilePatch): string {
  const { kind, pathBefore, pathAfter, hunks } = patch;
  const before = `a/${pathBefore ?? pathAfter ?? ""}`;
  const after = `b/${pathAfter ?? pathBefore ?? ""}`;
  const header = [`diff --git ${quotePath(before)} ${quotePath(after)}`];
  if (kind === "create") header.push("new file mode 100644");
  if (kind === "delete") header.push("deleted file mode 100644");
  if (kind === "rename" || kind === "copy") {
    header.push(`${kind} from ${quotePath(pathBefore ?? "")}`, `${kind} to ${quotePath(pathAfter ?? "")}`);
  }
  if (hunks.length > 0) {
    header.push(`--- ${pathBefore === undefined ? "/dev/null" : endWithTab(quotePath(before))}`);
    header.push(`+++ ${pathAfter === undefined ? "/dev/null" : endWithTab(quotePath(after))}`);
  }
  return `${header.join("\n")}\n${hunks.map(printHunk).join("")}`;
}

/**
 * Adds a tab after a path that contains a space, as git does. Without it `patch` reads a date
 * there.
 */
function endWithTab(path: string): string {
  return path.includes(" ") ? `${path}\t` : path;
}

function printHunk(hunk: PatchHunk): string {
  const before = printLineRange(hunk.beforeStart, hunk.beforeCount);
  const after = printLineRange(hunk.afterStart, hunk.afterCount);
  const heading = hunk.heading === "" ? "" : ` ${hunk.heading}`;
  return `@@ -${before} +${after} @@${heading}\n${hunk.lines.map(printLine).join("")}`;
}

/**
 * Prints a range of lines: an empty one with the number of the line before it, any other with the
 * number of its first line.
 */
function printLineRange(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? `${start + 1}` : `${start + 1},${count}`;
}

const marks = { keep: " ", delete: "-", insert: "+" } as const;

function printLine({ kind, text }: PatchLine): string {
  return text.endsWith("\n") ? `${marks[kind]}${text}` : `${marks[kind]}${text}\n\\ No newline at end of file\n`;
}

/** Two states of one file. */
export interface FileChangeTexts {
  /** The text before; `undefined` when the file did not exist. */
  readonly before: string | undefined;
  /** The text after; `undefined` when the file does not exist. */
  readonly after: string | undefined;
  /**
   * The path of the file, relative to the root, with `/` between folders and without `a/` or `b/`.
   */
  readonly path: string;
  /** The path before, if it was another one. */
  readonly pathBefore?: string;
  /** The number of unchanged lines around each change; default: 3. */
  readonly contextLines?: number;
}

/**
 * Returns the patch from one state of a file to the other, or `undefined` when nothing changed or
 * neither state has a text. A changed path makes a `rename`, also with the same text.
 *
 * Law: `applyFilePatch(tryDiffFile(change), before)` gives `after` where `contextLines` is above 0;
 * with 0, where each hunk is applied at its stated place.
 */
export function tryDiffFile(change: FileChangeTexts): FilePatch | undefined {
  const { before, after, path, pathBefore = path, contextLines = 3 } = change;
  const hunks = toHunks(splitPatchLines(before ?? ""), splitPatchLines(after ?? ""), contextLines);
  const shared = { isBinary: false, hunks };
  if (before === undefined) {
    return after === undefined ? undefined : { kind: "create", pathBefore: undefined, pathAfter: path, ...shared };
  }
  if (after === undefined) return { kind: "delete", pathBefore, pathAfter: undefined, ...shared };
  if (pathBefore !== path) return { kind: "rename", pathBefore, pathAfter: path, ...shared };
  return hunks.length === 0 ? undefined : { kind: "modify", pathBefore, pathAfter: path, ...shared };
}

/**
 * Prints the change of a file, as {@link tryDiffFile} finds it, in the unified format with git's
 * headers; `""` when nothing changed.
 *
 * Law: `git apply` on the file before gives the file after.
 */
export function toUnifiedDiff(change: FileChangeTexts): string {
  const patch = tryDiffFile(change);
  return patch === undefined ? "" : printFilePatch(patch);
}

/**
 * Prints a workspace edit in the unified format, one file after the other in the order of its
 * changes. `files` are the files before it; their URIs are printed as paths. A file without a
 * change of text or name is left out.
 *
 * Throws `EmendError` `out-of-bounds` when an edit does not fit its file; a missing file counts as
 * empty.
 */
export function toWorkspaceDiff(files: FileTexts, edit: WorkspaceEdit): string {
  return edit.changes
    .map((change) => {
      const { kind, uri } = change;
      if (kind === "create") return toUnifiedDiff({ before: undefined, after: change.text, path: uri });
      const before = files.get(uri) ?? "";
      if (kind === "delete") return toUnifiedDiff({ before, after: undefined, path: uri });
      const path = kind === "rename" ? change.uriAfter : uri;
      return toUnifiedDiff({ before, after: change.edit.apply(before), path, pathBefore: uri });
    })
    .join("");
}

/**
 * Splits a text into lines as patches count them: each ends with `\n`, except the last one of a
 * text that does not. The empty text has none.
 */
export function splitPatchLines(text: string): readonly string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}

function toHunks(before: readonly string[], after: readonly string[], contextLines: number): readonly PatchHunk[] {
  const groups: SequenceChange[][] = [];
  for (const change of diffSequences(before, after)) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.beforeStart - last.beforeEnd <= 2 * contextLines) groups.at(-1)!.push(change);
    else groups.push([change]);
  }
  return groups.map((group) => toHunk(group, before, after, contextLines));
}

function toHunk(
  changes: readonly SequenceChange[],
  before: readonly string[],
  after: readonly string[],
  contextLines: number,
): PatchHunk {
  const first = changes[0]!;
  const last = changes.at(-1)!;
  const lead = Math.min(contextLines, first.beforeStart);
  const trail = Math.min(contextLines, before.length - last.beforeEnd);
  const lines: PatchLine[] = [];
  const add = (kind: PatchLine["kind"], texts: readonly string[]): void => {
    for (const text of texts) lines.push({ kind, text });
  };
  let passed = first.beforeStart - lead;
  for (const change of changes) {
    add("keep", before.slice(passed, change.beforeStart));
    add("delete", before.slice(change.beforeStart, change.beforeEnd));
    add("insert", after.slice(change.afterStart, change.afterEnd));
    passed = change.beforeEnd;
  }
  add("keep", before.slice(passed, passed + trail));
  return {
    beforeStart: first.beforeStart - lead,
    beforeCount: last.beforeEnd + trail - (first.beforeStart - lead),
    afterStart: first.afterStart - lead,
    afterCount: last.afterEnd + trail - (first.afterStart - lead),
    heading: "",
    lines,
  };
}
