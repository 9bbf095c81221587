import type { LineSplice } from "../formats/index.ts";
import {
  byteOrderMark,
  detectLineEnding,
  isInsideCharacter,
  type LineEnding,
  Lines,
  type TextEdit,
} from "../text/index.ts";
import type { NextEditScene } from "./next-edit-scene.ts";

/** Where the cursor of a scene is in its window. */
export interface WindowCursor {
  /** The window's line, from 0. */
  readonly line: number;
  /** UTF-16 units of it before the cursor; never inside a surrogate pair. */
  readonly column: number;
}

/**
 * The lines of a scene's window as a model is shown them, and the way back from changed lines to the file's text. Immutable.
 *
 * Lines are without their endings, and the first of a file without its byte order mark.
 */
export class WindowLines {
  /** The window of `scene`. Throws `EmendError` `out-of-bounds` where the scene's ranges are not in its text. */
  static of({ text, window, cursor }: Pick<NextEditScene, "text" | "window" | "cursor">): WindowLines {
    return new WindowLines(Lines.of(text), window.start, window.end, cursor);
  }

  readonly lines: readonly string[];
  readonly cursor: WindowCursor;
  readonly #file: Lines;
  /** The file's line that the window begins with. */
  readonly #first: number;
  readonly #ending: LineEnding;

  private constructor(file: Lines, first: number, end: number, cursor: number) {
    this.#file = file;
    this.#first = first;
    this.#ending = detectLineEnding(file.source) ?? "\n";
    this.lines = Array.from({ length: end - first }, (_, i) =>
      file.source.slice(this.#start(first + i), file.end(first + i)),
    );
    const { line } = file.positionAt(cursor);
    // A cursor in front of a byte order mark, or inside a line ending, is at the nearest end of the line.
    const column = Math.min(Math.max(cursor, this.#start(line)), file.end(line)) - this.#start(line);
    const isTorn = isInsideCharacter(file.source, this.#start(line) + column);
    this.cursor = { line: line - first, column: column - (isTorn ? 1 : 0) };
  }

  /** Whether the window's last line is the empty one behind the file's last line ending. */
  get endsBehindLastBreak(): boolean {
    const end = this.#first + this.lines.length;
    return end === this.#file.count && end > 1 && this.lines.at(-1) === "";
  }

  /**
   * The edit of the file's text that changed lines of the window come to. New lines end as most lines of the file do.
   *
   * Law: changes as `streamDiff` tells them come to ascending edits that do not overlap and make the changed lines of the file.
   */
  toTextEdit({ start, end, lines }: LineSplice): TextEdit {
    const file = this.#file;
    const first = this.#first + start;
    const behind = this.#first + end;
    const text = lines.join(this.#ending);
    if (lines.length > 0 && first < behind) return { start: this.#start(first), end: file.end(behind - 1), text };
    // What is put in or goes takes its line endings along: those behind its lines, or at the end of the file that in front.
    const isAtEnd = behind === file.count;
    if (lines.length > 0) {
      return isAtEnd
        ? { start: file.source.length, end: file.source.length, text: this.#ending + text }
        : { start: this.#start(first), end: this.#start(first), text: text + this.#ending };
    }
    if (!isAtEnd) return { start: this.#start(first), end: file.start(behind), text };
    return { start: first === 0 ? this.#start(0) : file.end(first - 1), end: file.source.length, text };
  }

  /** Where the line begins, behind a byte order mark. */
  #start(line: number): number {
    const start = this.#file.start(line);
    return line === 0 && this.#file.hasByteOrderMark ? start + byteOrderMark.length : start;
  }
}
