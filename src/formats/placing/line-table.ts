import { byteOrderMark, type LineEnding, withoutByteOrderMark } from "../../text/index.ts";

/**
 * Splits a file into lines as all formats count them: without line endings and without a byte order
 * mark.
 *
 * A line ends with `\n` or `\r\n`; a lone `\r` ends one only in a text without any `\n`. Text after
 * the last line ending is a line only if it is not empty: `"a\n"` has one line, `""` has none.
 */
export function fileLines(text: string): readonly string[] {
  const content = withoutByteOrderMark(text);
  const lines = content.split(content.includes("\n") ? /\r?\n/ : "\r");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** A line of a file and its ending; `""` for a last line without one. */
export interface EndedLine {
  readonly text: string;
  readonly ending: LineEnding | "";
}

/**
 * The start and the ending of each line of a file, counted as `fileLines` counts them. Immutable.
 *
 * It differs from `Lines` of `emend/text`: text after the last line ending is a line only if it is
 * not empty, so `""` has no line and `"a\n"` has one. A byte order mark precedes line 0 and is no
 * part of it. A lone `\r` is an ordinary character, unless the file has no `\n`. Line indexes start
 * at 0, offsets count UTF-16 code units.
 */
export class LineTable {
  /** Builds the table in one pass over `source`. */
  static of(source: string): LineTable {
    const starts: number[] = [];
    const mark = source.includes("\n") || !source.includes("\r") ? "\n" : "\r";
    for (let start = source.startsWith(byteOrderMark) ? 1 : 0; start < source.length; ) {
      starts.push(start);
      const end = source.indexOf(mark, start);
      start = end < 0 ? source.length : end + 1;
    }
    return new LineTable(source, Uint32Array.from(starts), mark);
  }

  /** The whole text. */
  readonly source: string;
  /** The last character of each line ending. */
  readonly mark: "\n" | "\r";
  readonly #starts: Uint32Array;
  #ending: LineEnding | undefined;

  private constructor(source: string, starts: Uint32Array, mark: "\n" | "\r") {
    this.source = source;
    this.mark = mark;
    this.#starts = starts;
  }

  /** The number of lines. */
  get count(): number {
    return this.#starts.length;
  }

  /** Whether the last line has an ending; true where there is no line. */
  get endsWithBreak(): boolean {
    return this.count === 0 || this.line(this.count - 1).ending !== "";
  }

  /**
   * The most frequent line ending, of equally frequent ones the first in the text; `\n` where there
   * is none.
   */
  get ending(): LineEnding {
    this.#ending ??= this.#mostUsedEnding();
    return this.#ending;
  }

  /** The offset of a line's start; for `count`, the end of the text. */
  start(lineIndex: number): number {
    return this.#starts[lineIndex] ?? this.source.length;
  }

  /** The line with its ending. */
  line(lineIndex: number): EndedLine {
    const start = this.start(lineIndex);
    const end = this.start(lineIndex + 1);
    const ending = this.#endingOf(start, end);
    return { text: this.source.slice(start, end - ending.length), ending };
  }

  /** The line without its ending. */
  text(lineIndex: number): string {
    return this.line(lineIndex).text;
  }

  /** All lines, in order. */
  all(): EndedLine[] {
    return Array.from({ length: this.count }, (_, lineIndex) => this.line(lineIndex));
  }

  #mostUsedEnding(): LineEnding {
    const counts = new Map<LineEnding, number>();
    for (let i = 0; i < this.count; i++) {
      const ending = this.#endingOf(this.start(i), this.start(i + 1));
      if (ending !== "") counts.set(ending, (counts.get(ending) ?? 0) + 1);
    }
    let best: LineEnding | undefined;
    for (const [ending, count] of counts) if (best === undefined || count > counts.get(best)!) best = ending;
    return best ?? "\n";
  }

  #endingOf(start: number, end: number): EndedLine["ending"] {
    if (end === start || this.source.charAt(end - 1) !== this.mark) return "";
    if (this.mark === "\r") return "\r";
    return end - 2 >= start && this.source.charAt(end - 2) === "\r" ? "\r\n" : "\n";
  }
}
