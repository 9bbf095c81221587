import type { FormatName } from "../edit-format.ts";
import { isLineCommand } from "../line-command-row.ts";
import { isCommand, readCommand } from "../range-command.ts";
import { tryReadSearchReplaceMark } from "../search-replace-marks.ts";
import { beginsPatch } from "./patch-command.ts";
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
