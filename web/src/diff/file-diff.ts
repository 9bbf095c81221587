import {
  type FilePatch,
  type PatchHunk,
  type PatchLine,
  parseUnifiedDiff,
  type TextRange,
  tryDiffFile,
} from "../../../src/text/index.ts";
import { changedWords } from "./changed-words.ts";

/** What becomes of one file, as a page shows it. Plain data. */
export interface FileDiff {
  readonly kind: FilePatch["kind"];
  /** Where the file is afterwards, or was if it goes away. */
  readonly path: string;
  /** Where it was, if elsewhere. */
  readonly pathBefore?: string;
  readonly isBinary: boolean;
  readonly hunks: readonly DiffHunk[];
  /** How many lines come and go. */
  readonly added: number;
  readonly removed: number;
}

/** A place where a file changes, with the lines around it. */
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
  /** The words in it that differ from the line that it stands for, or that stands for it. */
  readonly changed: readonly TextRange[];
  /** What is not seen of it, such as `no line break`. */
  readonly note?: string;
}

/** Two states of a file; `null` where it is not there. */
export interface FileStates {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The change from one state to the other; `undefined` where there is none. */
export function tryFileDiff({ path, before, after }: FileStates): FileDiff | undefined {
  const patch = tryDiffFile({ path, before: before ?? undefined, after: after ?? undefined });
  return patch && fileDiffOf(patch);
}

/** The files of a diff in the unified format, and what in it could not be read. */
export function readFileDiffs(diff: string): {
  readonly files: readonly FileDiff[];
  readonly issues: readonly string[];
} {
  const { files, issues } = parseUnifiedDiff(diff);
  return { files: files.map(fileDiffOf), issues: issues.map(({ message }) => message) };
}

/** A patch as it is shown. */
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
 * What of these lines' breaks is worth a word: one that is missing, and others than in the lines
 * that stand for them.
 */
function notesOf(lines: readonly PatchLine[], others: readonly PatchLine[]): readonly (string | undefined)[] {
  return lines.map(({ text }, at) => {
    if (!text.endsWith("\n")) return "no line break at the end";
    const other = others[at]?.text ?? text;
    if (!other.endsWith("\n") || other.endsWith("\r\n") === text.endsWith("\r\n")) return undefined;
    return text.endsWith("\r\n") ? "ends with CR LF" : "ends with LF";
  });
}
