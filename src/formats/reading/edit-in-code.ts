import type { FormatName } from "../edit-format.ts";
import { findRun } from "../placing/keyed-lines.ts";
import { hasWords, withoutIndent } from "../placing/line-keys.ts";
import { isDivider, tryReadSearchReplaceMark } from "../search-replace-marks.ts";
import { tryReadFormatMark } from "./format-mark.ts";
import { tryReadPathRow } from "./path-row.ts";

/** Lines that an answer gives as the code of a file. */
export interface CodeBlock {
  readonly lines: readonly string[];
  /** The text after the marks of their fence. */
  readonly info: string;
  readonly path: string | undefined;
}

/**
 * The format of a code block that is an edit instead of lines of a file; `undefined` for code. Also
 * `undefined` for a file of diffs, such as `a.patch`.
 *
 * Such a block begins with the marks of a format, possibly below its path, or is in a fence for
 * diffs and has only rows of a diff.
 */
export function tryReadEditInCode({ lines, info, path }: CodeBlock): FormatName | undefined {
  if (/\.(?:diff|patch|rej)$/i.test(path ?? "")) return undefined;
  const rows = lines.filter((line) => line.trim() !== "");
  const name =
    formatOf(rows) ?? (tryReadPathRow(rows[0] ?? "", []) === undefined ? undefined : formatOf(rows.slice(1)));
  if (name !== undefined) return name;
  const isDiff = /^(?:diff|patch|udiff)\b/i.test(info) && rows.some((row) => /^[-+]/.test(row));
  return isDiff && rows.every((row) => /^(?:[-+ @\\]|diff |index )/.test(row)) ? "udiff" : undefined;
}

/**
 * The index of the first row of a search/replace block among the new lines of a file; `undefined`
 * where there is none.
 *
 * The searched lines must be in `file` and the mark must not: otherwise the lines are code about
 * such blocks.
 */
export function searchBlockRow(lines: readonly string[], file: readonly string[]): number | undefined {
  const next = (from: number, holds: (row: string) => boolean) => lines.findIndex((row, i) => i >= from && holds(row));
  const isMark = (row: string) => tryReadSearchReplaceMark(row) !== undefined;
  for (let at = next(0, isMark); at >= 0; at = next(at + 1, isMark)) {
    if (tryReadSearchReplaceMark(lines[at]!)?.kind !== "open" || file.includes(lines[at]!)) continue;
    const divider = next(at, isDivider);
    const close = divider < 0 ? undefined : lines[next(divider, isMark)];
    if (close === undefined) return undefined;
    if (tryReadSearchReplaceMark(close)?.kind !== "close") continue;
    const search = lines.slice(at + 1, divider).map(withoutIndent);
    if (search.some(hasWords) && findRun(search, file.map(withoutIndent)).length > 0) return at;
  }
  return undefined;
}

/** The format whose marks the rows begin with, among formats whose marks no code begins with. */
function formatOf(rows: readonly string[]): FormatName | undefined {
  const [first = "", second = ""] = rows;
  if (first.startsWith("--- ") && second.startsWith("+++ ")) return "udiff";
  const name = tryReadFormatMark(first, "");
  if (name === "search-replace") return isBlock(rows) ? name : undefined;
  return name === "v4a" || name === "udiff" || name === "range" ? name : undefined;
}

/**
 * Whether rows that begin with the first mark of a search/replace block contain the other marks as
 * well.
 */
function isBlock(rows: readonly string[]): boolean {
  const divider = rows.findIndex(isDivider);
  return divider > 0 && rows.some((row, i) => i > divider && tryReadSearchReplaceMark(row)?.kind === "close");
}
