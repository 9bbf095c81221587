import { hideSecretsInLines } from "../../context/index.ts";
import { Lines, type TextRange } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
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
