import type { LineSplice } from "../../formats/index.ts";
import {
  byteOrderMark,
  detectLineEnding,
  isInsideCharacter,
  type LineEnding,
  Lines,
  type TextEdit,
} from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import { type DiffEnd, type LinesEnd, streamDiff } from "./stream-diff.ts";

/** The cursor's position in a window. */
export interface WindowCursor {
  /** The window's line, from 0. */
  readonly line: number;
  /** The UTF-16 units of the line before the cursor; never inside a surrogate pair. */
  readonly column: number;
}

/**
 * The lines of a window as a model is sent them, and the conversion of changed lines to edits of
 * the file. Immutable.
 *
 * Lines have no line endings, and the first line of a file no byte order mark.
 */
export class WindowLines {
  /**
   * The lines of a prompt input's window. Throws `EmendError` `out-of-bounds` where its ranges are
   * outside its text.
   */
  static of({ text, window, cursor }: Pick<NextEditPromptInput, "text" | "window" | "cursor">): WindowLines {
    return new WindowLines(Lines.of(text), window.start, window.end, cursor);
  }

  readonly lines: readonly string[];
  readonly cursor: WindowCursor;
  readonly #file: Lines;
  /** The file's line index where the window begins. */
  readonly #first: number;

  private constructor(file: Lines, first: number, end: number, cursor: number) {
    this.#file = file;
    this.#first = first;
    this.lines = Array.from({ length: end - first }, (_, i) =>
      file.source.slice(this.#start(first + i), file.end(first + i)),
    );
    const { line } = file.positionAt(cursor);
    // A cursor before a byte order mark, or inside a line ending, is moved to the nearest end of
    // the line.
    const column = Math.min(Math.max(cursor, this.#start(line)), file.end(line)) - this.#start(line);
    const isTorn = isInsideCharacter(file.source, this.#start(line) + column);
    this.cursor = { line: line - first, column: column - (isTorn ? 1 : 0) };
  }

  /** Whether the window's last line is the empty one behind the file's last line ending. */
  get endsBehindLastBreak(): boolean {
    const end = this.#first + this.lines.length;
    return end === this.#file.count && end > 1 && this.lines.at(-1) === "";
  }

  /** The line ending of most lines of the file. */
  get #ending(): LineEnding {
    return detectLineEnding(this.#file.source) ?? "\n";
  }

  /**
   * Returns the edit of the file's text for changed lines of the window, whose indexes start at 0.
   * New lines get the line ending of most lines of the file. Throws `EmendError` with code
   * "out-of-bounds" where the changed lines are outside of the file.
   *
   * Law: the changes of `streamDiff` give ascending edits that do not overlap and make the changed
   * lines of the file.
   */
  toTextEdit({ start, end, lines }: LineSplice): TextEdit {
    const file = this.#file;
    const first = this.#first + start;
    const behind = this.#first + end;
    const text = lines.join(this.#ending);
    if (lines.length > 0 && first < behind) return { start: this.#start(first), end: file.end(behind - 1), text };
    // Inserted or deleted lines include a line ending: that after them, or at the end of the file
    // that before them.
    const isAtEnd = behind === file.count;
    if (lines.length > 0) {
      return isAtEnd
        ? { start: file.source.length, end: file.source.length, text: this.#ending + text }
        : { start: this.#start(first), end: this.#start(first), text: text + this.#ending };
    }
    if (!isAtEnd) return { start: this.#start(first), end: file.start(behind), text };
    return { start: first === 0 ? this.#start(0) : file.end(first - 1), end: file.source.length, text };
  }

  /** The offset where the line begins, after a byte order mark. */
  #start(line: number): number {
    const start = this.#file.start(line);
    return line === 0 && this.#file.hasByteOrderMark ? start + byteOrderMark.length : start;
  }
}

/**
 * Reads lines that replace the window of a prompt input, and yields the edits of its text, each as
 * soon as it is certain; see {@link streamDiff}, also for how the lines end.
 *
 * The edits are ascending and do not overlap; insertions at the same place belong in this order. A
 * file that ends with a line ending keeps it where the lines end without one.
 */
export async function* windowEdits(
  lines: AsyncGenerator<string, LinesEnd>,
  input: NextEditPromptInput,
): AsyncGenerator<TextEdit, DiffEnd> {
  const window = WindowLines.of(input);
  const rewritten = window.endsBehindLastBreak ? withLastBreak(lines) : lines;
  const changes = streamDiff(window.lines, rewritten, { cursorLine: window.cursor.line });
  try {
    for (;;) {
      const next = await changes.next();
      if (next.done) return next.value;
      yield window.toTextEdit(next.value);
    }
  } finally {
    await changes.return("cut");
  }
}

/** The lines with an empty one at the end: the text after the last line ending of a file. */
async function* withLastBreak(lines: AsyncGenerator<string, LinesEnd>): AsyncGenerator<string, LinesEnd> {
  let last: string | undefined;
  try {
    for (;;) {
      const next = await lines.next();
      if (next.done) {
        if (last !== "" && next.value !== "cut") yield "";
        return next.value;
      }
      last = next.value;
      yield last;
    }
  } finally {
    await lines.return("cut");
  }
}
