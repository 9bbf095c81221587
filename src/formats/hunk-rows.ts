import { diffSequences } from "../text/index.ts";

/** A row of a hunk: a line that stays, goes or comes. */
export interface HunkRow {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * Reads a row of a hunk. A row without any mark is a line that stays: it is looked for in the file like the others, so
 * that a wrong guess is noticed. `isMarked` says whether the row was written as it should be; an empty one is.
 */
export function readHunkRow(row: string): HunkRow & { readonly isMarked: boolean } {
  const mark = row.charAt(0);
  if (mark === " " || mark === "-" || mark === "+") return { mark, text: row.slice(1), isMarked: true };
  return { mark: " ", text: row, isMarked: row === "" };
}

/** The lines that a hunk looks for. */
export function oldLines(rows: readonly HunkRow[]): readonly string[] {
  return rows.flatMap(({ mark, text }) => (mark === "+" ? [] : [text]));
}

/** The lines that a hunk puts there. */
export function newLines(rows: readonly HunkRow[]): readonly string[] {
  return rows.flatMap(({ mark, text }) => (mark === "-" ? [] : [text]));
}

/** The rows of a hunk that puts lines in the place of lines. Laws: its `oldLines` and `newLines` are these. */
export function hunkRows(search: readonly string[], replace: readonly string[]): readonly HunkRow[] {
  const rows: HunkRow[] = [];
  const add = (mark: HunkRow["mark"], lines: readonly string[]): void => {
    for (const text of lines) rows.push({ mark, text });
  };
  let passed = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(search, replace)) {
    add(" ", search.slice(passed, beforeStart));
    add("-", search.slice(beforeStart, beforeEnd));
    add("+", replace.slice(afterStart, afterEnd));
    passed = beforeEnd;
  }
  add(" ", search.slice(passed));
  return rows;
}
