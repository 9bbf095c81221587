import type { Preview } from "../../edit/index.ts";
import { type FileTexts, toWorkspaceDiff, workspaceEdit } from "../../text/index.ts";
import { diffRows } from "../terminal/print-diff.ts";

/** How much of a diff is shown. */
export interface LiveDiffOptions {
  /** The most rows. */
  readonly height: number;
  readonly colour: boolean;
}

/** The number of rows below the model's place in the answer, where there is room. */
const rowsBehind = 3;

/**
 * The rows of a diff for a terminal, without line breaks; of more than `height` rows, those around
 * the line where the model is writing, or else the last ones.
 */
export function liveDiff(files: FileTexts, { edit, at }: Preview, options: LiveDiffOptions): readonly string[] {
  const rows: string[] = [];
  let end: number | undefined;
  for (const change of edit.changes) {
    const diff = toWorkspaceDiff(files, workspaceEdit([change]));
    if (change.uri === at?.path)
      end = rows.length + rowsUpTo(diff, at.line) + Math.min(rowsBehind, options.height >> 2);
    rows.push(...diffRows(diff, options.colour).map((row) => row.slice(0, -1)));
  }
  const last = Math.min(Math.max(end ?? rows.length, options.height), rows.length);
  return rows.slice(Math.max(0, last - options.height), last);
}

/**
 * The number of rows of one file's diff before line `line` of the old text, with the lines inserted
 * there.
 */
function rowsUpTo(diff: string, line: number): number {
  let count = 0;
  let old: number | undefined;
  for (const [i, row] of diff.split("\n").entries()) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (hunk !== null) {
      // The header of a hunk without old lines has the number of the line before it.
      old = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      if (old > line) return count;
    } else if (old === undefined || !/^[ +-]/.test(row)) {
      continue;
    } else if (!row.startsWith("+")) {
      if (old === line) return count;
      old++;
    }
    count = i + 1;
  }
  return count;
}
