import { diffSequences } from "../../text/index.ts";

/** A row of a hunk: a context line, a deleted line or a new line. */
export interface HunkRow {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * Reads a row of a hunk. A row without a mark is read as a context line: it is searched in the file
 * like the others, which reveals a wrong guess. `isMarked` is whether the row is well-formed; an
 * empty row is.
 */
export function readHunkRow(row: string): HunkRow & { readonly isMarked: boolean } {
  const mark = row.charAt(0);
  if (mark === " " || mark === "-" || mark === "+") return { mark, text: row.slice(1), isMarked: true };
  return { mark: " ", text: row, isMarked: row === "" };
}

/** The old lines of a hunk: context and deleted lines. */
export function oldLines(rows: readonly HunkRow[]): readonly string[] {
  return rows.flatMap(({ mark, text }) => (mark === "+" ? [] : [text]));
}

/** The new lines of a hunk: context and added lines. */
export function newLines(rows: readonly HunkRow[]): readonly string[] {
  return rows.flatMap(({ mark, text }) => (mark === "-" ? [] : [text]));
}

/**
 * The rows of a hunk that replaces lines by lines. Laws: its `oldLines` equal `search` and its
 * `newLines` equal `replace`.
 */
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
