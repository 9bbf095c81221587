import {
  type FilePatch,
  type PatchHunk,
  type PatchLine,
  parseUnifiedDiff,
  type TextRange,
  tryDiffFile,
} from "../../../src/text/index.ts";
import { changedWords } from "./changed-words.ts";

/** The change of one file, as the page shows it. Plain data. */
export interface FileDiff {
  readonly kind: FilePatch["kind"];
  /** The path after the change, or the old path of a deleted file. */
  readonly path: string;
  /** The path before, of a renamed file. */
  readonly pathBefore?: string;
  readonly isBinary: boolean;
  readonly hunks: readonly DiffHunk[];
  /** The numbers of added and removed lines. */
  readonly added: number;
  readonly removed: number;
}

/** A hunk: changed lines with their context. */
export interface DiffHunk {
  readonly rows: readonly DiffRow[];
  /** The lines before, `[start, end)`, from 0. */
  readonly before: TextRange;
}

/** A line of a hunk. */
export interface DiffRow {
  readonly kind: PatchLine["kind"];
  /** Without its line break. */
  readonly text: string;
  /** Numbers from 1, of the text before and of the one after. */
  readonly before?: number;
  readonly after?: number;
  /** The ranges of words that differ from the corresponding line of the other side. */
  readonly changed: readonly TextRange[];
  /** A note about invisible characters, such as `no line break at the end`. */
  readonly note?: string;
}

/** Two states of a file; `null` if the file does not exist. */
export interface FileStates {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The change from one state to the other; `undefined` for equal states. */
export function tryFileDiff({ path, before, after }: FileStates): FileDiff | undefined {
  const patch = tryDiffFile({ path, before: before ?? undefined, after: after ?? undefined });
  return patch && fileDiffOf(patch);
}

/** Reads the files of a unified diff; `issues` are messages about unreadable parts. */
export function readFileDiffs(diff: string): {
  readonly files: readonly FileDiff[];
  readonly issues: readonly string[];
} {
  const { files, issues } = parseUnifiedDiff(diff);
  return { files: files.map(fileDiffOf), issues: issues.map(({ message }) => message) };
}

/** Converts a patch for display. */
export function fileDiffOf(patch: FilePatch): FileDiff {
  const { kind, pathBefore, pathAfter, isBinary } = patch;
  const hunks = patch.hunks.map(diffHunkOf);
  const count = (wanted: DiffRow["kind"]) =>
    hunks.reduce((sum, { rows }) => sum + rows.filter((row) => row.kind === wanted).length, 0);
  return {
    ...{ kind, isBinary, hunks, path: pathAfter ?? pathBefore ?? "" },
    ...(pathBefore !== undefined && pathAfter !== undefined && pathBefore !== pathAfter && { pathBefore }),
    ...{ added: count("insert"), removed: count("delete") },
  };
}

function diffHunkOf({ beforeStart, beforeCount, afterStart, lines }: PatchHunk): DiffHunk {
  const rows: DiffRow[] = [];
  let before = beforeStart;
  let after = afterStart;
  for (let i = 0; i < lines.length; ) {
    const removed = runOf("delete", lines, i);
    const added = runOf("insert", lines, i + removed.length);
    if (removed.length + added.length === 0) {
      rows.push(rowOf(lines[i]!, { before: ++before, after: ++after }));
      i++;
      continue;
    }
    const words = changedWords(removed.map(bare), added.map(bare));
    const notes = { removed: notesOf(removed, added), added: notesOf(added, removed) };
    for (const [at, line] of removed.entries())
      rows.push(rowOf(line, { before: ++before }, words.before[at], notes.removed[at]));
    for (const [at, line] of added.entries())
      rows.push(rowOf(line, { after: ++after }, words.after[at], notes.added[at]));
    i += removed.length + added.length;
  }
  return { rows, before: { start: beforeStart, end: beforeStart + beforeCount } };
}

function runOf(kind: PatchLine["kind"], lines: readonly PatchLine[], start: number): readonly PatchLine[] {
  let end = start;
  while (lines[end]?.kind === kind) end++;
  return lines.slice(start, end);
}

function rowOf(
  line: PatchLine,
  numbers: Pick<DiffRow, "before" | "after">,
  changed: readonly TextRange[] = [],
  note?: string,
): DiffRow {
  return { kind: line.kind, text: bare(line), ...numbers, changed, ...(note !== undefined && { note }) };
}

function bare({ text }: PatchLine): string {
  return text.replace(/\r?\n$/, "");
}

/**
 * Notes about line breaks: a missing one, and one that differs from the corresponding line.
 */
function notesOf(lines: readonly PatchLine[], others: readonly PatchLine[]): readonly (string | undefined)[] {
  return lines.map(({ text }, at) => {
    if (!text.endsWith("\n")) return "no line break at the end";
    const other = others[at]?.text ?? text;
    if (!other.endsWith("\n") || other.endsWith("\r\n") === text.endsWith("\r\n")) return undefined;
    return text.endsWith("\r\n") ? "ends with CR LF" : "ends with LF";
  });
}
