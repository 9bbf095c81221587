import { diffSequences, type SequenceChange } from "./diff-sequences.ts";
import { type FilePatch, type PatchHunk, type PatchLine, printFilePatch } from "./file-patch.ts";

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
 * Returns the patch from one state of a file to the other, or `undefined` when nothing changed.
 *
 * Law: `applyFilePatch(tryDiffFile(change), before)` gives `after`.
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
 * Prints the change of a file in the unified format with git's headers; `""` when nothing changed.
 *
 * Law: `git apply` on the file before gives the file after.
 */
export function toUnifiedDiff(change: FileChangeTexts): string {
  const patch = tryDiffFile(change);
  return patch === undefined ? "" : printFilePatch(patch);
}

/**
 * Splits a text into lines as patches count them: each ends with `\n`, except the last one of a
 * text that does not.
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
