import { hideSecretsInLines } from "../../context/index.ts";
import { Lines, type PatchHunk, type TextRange, tryDiffFile } from "../../text/index.ts";
import type { NextEditPromptInput, RedactedEdit } from "../providers/model/next-edit-prompt-input.ts";
import { type WindowCursor, WindowLines } from "./window-lines.ts";

/**
 * The lines of a prompt input's file as models are sent them: without line endings and byte order
 * mark.
 */
export class PromptLines {
  readonly input: NextEditPromptInput;
  readonly texts: readonly string[];
  /** The cursor's position in the file. */
  readonly cursor: WindowCursor;

  #redacted: readonly string[] | undefined;

  constructor(input: NextEditPromptInput) {
    const file = WindowLines.of({ ...input, window: { start: 0, end: Lines.of(input.text).count } });
    this.input = input;
    this.texts = file.lines;
    this.cursor = file.cursor;
  }

  /**
   * Returns the lines `[start, end)` around an edit, each with a `\n`, for diffs: with secrets
   * redacted.
   */
  around({ start, end }: TextRange): string {
    this.#redacted ??= hideSecretsInLines(this.texts, this.input.language);
    const isLast = end === this.texts.length && this.texts.at(-1) === "";
    return this.#redacted
      .slice(start, isLast ? end - 1 : end)
      .map((line) => `${line}\n`)
      .join("");
  }

  /**
   * Returns the lines `[start, end)`, each with a `\n`, with `mark` at the cursor, if it is there.
   * The empty line after the file's last line ending is left out, unless the cursor is there and
   * has a marker.
   */
  show({ start, end }: TextRange, mark = ""): string {
    const { line: cursorLine, column } = this.cursor;
    const shown = this.texts.slice(start, end).map((text, i) => {
      const line = start + i;
      if (mark !== "" && line === cursorLine) return `${text.slice(0, column)}${mark}${text.slice(column)}\n`;
      return text === "" && line === this.texts.length - 1 ? "" : `${text}\n`;
    });
    return shown.join("");
  }
}

/**
 * Prints an edit as hunks of a unified diff, each line with a `\n`, without a file header.
 *
 * An edit of the prompt input's own file has `contextLines` lines of the excerpt on each side, as
 * they are now; other files have no context. The line numbers are those of the present lines, also
 * for the old side.
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
