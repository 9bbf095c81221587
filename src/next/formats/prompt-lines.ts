import { hideSecretsInLines } from "../../context/index.ts";
import { invariant, Lines, type PatchHunk, type TextRange, tryDiffFile } from "../../text/index.ts";
import type { NextEditPromptInput, RedactedEdit } from "../providers/model/next-edit-prompt-input.ts";
import type { NextEditQuestion } from "./next-edit-format.ts";
import { type WindowCursor, WindowLines } from "./window-lines.ts";

/**
 * The lines of a prompt input's file as models are sent them: without line endings and byte order
 * mark. Only the lines that are requested are read, since a file may have a million.
 */
export class PromptLines {
  readonly input: NextEditPromptInput;
  /** The cursor's position in the file. */
  readonly cursor: WindowCursor;

  readonly #lines: Lines;
  /** Lines around the excerpt with secrets redacted, from line `first` on. */
  #redacted: { readonly first: number; readonly texts: readonly string[] } | undefined;

  /** Throws `EmendError` `out-of-bounds` where the cursor is outside of the text. */
  constructor(input: NextEditPromptInput) {
    this.input = input;
    this.#lines = Lines.of(input.text);
    this.cursor = WindowLines.of({ ...input, window: { start: 0, end: 0 } }).cursor;
  }

  /**
   * Returns the lines `[start, end)` of the file, counted from 0; those behind its end are left
   * out.
   */
  texts({ start, end }: TextRange): readonly string[] {
    const window = { start, end: Math.min(end, this.#lines.count) };
    return window.start < window.end ? WindowLines.of({ ...this.input, window }).lines : [];
  }

  /**
   * Returns the lines `[start, end)` of the file, counted from 0, each with a `\n`, for diffs: with
   * secrets redacted. They must be within the excerpt.
   */
  around({ start, end }: TextRange): string {
    if (start >= end) return "";
    this.#redacted ??= this.#redact();
    const { first, texts } = this.#redacted;
    return texts
      .slice(start - first, (this.#isEmptyLast(end - 1) ? end - 1 : end) - first)
      .map((line) => `${line}\n`)
      .join("");
  }

  /**
   * Returns the lines `[start, end)` of the file, counted from 0, each with a `\n`, with `mark` at
   * the cursor, if it is there. The empty line after the file's last line ending is left out,
   * unless the cursor is there and has a marker.
   */
  show({ start, end }: TextRange, mark = ""): string {
    const { line: cursorLine, column } = this.cursor;
    const shown = this.texts({ start, end }).map((text, i) => {
      const line = start + i;
      if (mark !== "" && line === cursorLine) return `${text.slice(0, column)}${mark}${text.slice(column)}\n`;
      return this.#isEmptyLast(line) ? "" : `${text}\n`;
    });
    return shown.join("");
  }

  #redact(): { readonly first: number; readonly texts: readonly string[] } {
    const { page, language } = this.input;
    const first = Math.max(0, page.start - redactedBeside);
    return { first, texts: hideSecretsInLines(this.texts({ start: first, end: page.end + redactedBeside }), language) };
  }

  #isEmptyLast(line: number): boolean {
    if (line !== this.#lines.count - 1) return false;
    return this.texts({ start: line, end: line + 1 })[0] === "";
  }
}

/** Lines above and below the excerpt that may show that a line in it is part of a secret. */
const redactedBeside = 200;

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

/** Texts that have a special meaning to a format or the tokenizer of its models. */
export interface FormatMarks {
  /** Those that have it anywhere. */
  readonly anywhere: readonly string[];
  /** Those that have it as a whole line. */
  readonly asLine?: readonly string[];
}

/**
 * Returns a refusal if anything in the prompt contains one of the markers, or `undefined`: it would
 * be taken for the format's own, and so would its repetition in the answer. Throws `InvariantError`
 * where the window is not within the area, or that not within the excerpt.
 */
export function tryRefuse(
  input: NextEditPromptInput,
  marks: FormatMarks,
): Extract<NextEditQuestion, { kind: "refused" }> | undefined {
  const texts = shownTexts(input);
  const { anywhere, asLine = [] } = marks;
  const mark =
    anywhere.find((one) => texts.some((text) => text.includes(one))) ??
    asLine.find((one) => texts.some((text) => text.split(/\r\n|\r|\n/).some((line) => line.trimEnd() === one)));
  return mark === undefined ? undefined : { kind: "refused", reason: { kind: "says-mark", mark } };
}

function shownTexts(input: NextEditPromptInput): string[] {
  const { path, page, window, area, history, viewed, diagnostics } = input;
  const isNested =
    page.start <= area.start && area.start <= window.start && window.end <= area.end && area.end <= page.end;
  invariant(
    isNested,
    () => `The page holds the area and the area the window: ${JSON.stringify({ page, area, window })}`,
  );
  return [
    path,
    new PromptLines(input).show(page),
    ...history.flatMap((edit) => [edit.path, edit.before.join("\n"), edit.after.join("\n")]),
    ...viewed.flatMap((snippet) => [snippet.path, snippet.text]),
    ...diagnostics.map(({ message }) => message),
  ];
}
