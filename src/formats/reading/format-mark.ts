import type { FormatName } from "../edit-format.ts";
import { isCommand, readCommand } from "../range-command.ts";
import { tryReadSearchReplaceMark } from "../search-replace-marks.ts";
import { mentionsToolCall } from "./tool-calls.ts";

/**
 * The format of the edit that begins in `row`, judged by this row and the one above; `undefined`
 * where none begins.
 *
 * For rows outside of edits. Formats whose edits are plain code in a fence have no such row.
 */
export function tryReadFormatMark(row: string, above: string): FormatName | undefined {
  const mark = tryReadSearchReplaceMark(row);
  if (mark?.kind === "open" && mark.hasWord) return "search-replace";
  if (/^---(?:FILEPATH|FIND)\b/.test(row)) return "search-replace";
  if (beginsPatch(row)) return "v4a";
  if (/^diff --git |^@@ (?:-\d|@@|\.\.\. @@)/.test(row)) return "udiff";
  if (row.startsWith("+++ ") && above.startsWith("--- ")) return "udiff";
  if (isCommand(row) && !["unreadable", "end", "none"].includes(readCommand(row).kind)) return "range";
  if (isLineCommand(row)) return "line-commands";
  // As in "{"; the keys of a call that spans several rows follow in their own rows.
  if (/^\s*[{[,"']/.test(row) && mentionsToolCall(row)) return "str-replace";
  return undefined;
}

/**
 * Matches a row that begins an edit of the format `line-commands`, with its verb and numbers; not
 * prose such as "edit 4 files".
 */
export const lineCommandRow = /^(edit|insert) (\d+(?:\s*[:,-](?:\s*[^\s<]+)?)?\s*(?:<<.*)?)$/;

/** Whether a row begins an edit of the format `line-commands`, such as `edit 4:6` or `insert 4`. */
export function isLineCommand(row: string): boolean {
  return lineCommandRow.test(row);
}

/**
 * Removes the command before a patch that begins in the same row, as in
 * `apply_patch '*** Begin Patch`. Other rows stay as they are.
 */
export function withoutPatchCommand(row: string): string {
  const at = row.indexOf("*** Begin Patch");
  return at > 0 && /\bapply_?patch\s+\$?["']$/i.test(row.slice(Math.max(0, at - 40), at)) ? row.slice(at) : row;
}

/** Whether a shell row begins a here-document, as in `apply_patch <<'EOF'`. */
export function opensHeredoc(row: string): boolean {
  return /(?<!<)<<-?\s*["']?\w/.test(row);
}

/**
 * Whether a row begins a patch in the format v4a or a file of one: `*** Begin Patch`, also after
 * `apply_patch` and a quote, `*** Update File:` and the like.
 */
export function beginsPatch(row: string): boolean {
  return /^\s*\*\*\* (?:Begin Patch\s*$|(?:Update|Add|Delete) File: )/.test(withoutPatchCommand(row));
}
