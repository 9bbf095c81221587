import { type PatchHunk, tryDiffFile } from "../../text/index.ts";
import type { RedactedEdit } from "../providers/model/next-edit-prompt-input.ts";
import type { PromptLines } from "./prompt-lines.ts";

/**
 * Prints an edit as hunks of a unified diff, each line with a `\n`, without a file header.
 *
 * An edit of the prompt input's own file has `contextLines` lines of the page on each side, as they
 * are now; other files have no context. The line numbers are those of the present lines, also for
 * the old side.
 */
export function pastEditDiff(
  { path, lines, before, after }: RedactedEdit,
  shown: PromptLines,
  contextLines = 3,
): string {
  const { input } = shown;
  const { page } = input;
  const isShown = path === input.path && page.start <= lines.start && lines.end <= page.end;
  const start = isShown ? Math.max(page.start, lines.start - contextLines) : lines.start;
  const end = isShown ? Math.min(page.end, lines.end + contextLines) : lines.end;
  const above = shown.around({ start, end: lines.start });
  const below = shown.around({ start: lines.end, end });
  const around = (changed: readonly string[]): string => above + changed.map((line) => `${line}\n`).join("") + below;
  const patch = tryDiffFile({ path, before: around(before), after: around(after), contextLines });
  return (patch?.hunks ?? []).map((hunk) => printHunk(hunk, start)).join("");
}

function printHunk({ beforeStart, beforeCount, afterStart, afterCount, lines }: PatchHunk, firstLine: number): string {
  const before = printNumbers(beforeStart + firstLine, beforeCount);
  const after = printNumbers(afterStart + firstLine, afterCount);
  return `@@ -${before} +${after} @@\n${lines.map(({ kind, text }) => `${signs[kind]}${text}`).join("")}`;
}

/** As GNU diff numbers lines: an empty range has the number of the line before it. */
function printNumbers(start: number, count: number): string {
  return `${count === 0 ? start : start + 1},${count}`;
}

const signs = { keep: " ", delete: "-", insert: "+" } as const;
