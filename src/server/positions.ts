import type { Position, Range } from "vscode-languageserver";
import type { Lines, TextRange } from "../text/index.ts";

/** What a column of the protocol counts: UTF-16 code units, UTF-8 bytes, or code points. */
export type PositionEncoding = "utf-16" | "utf-8" | "utf-32";

const known: readonly string[] = ["utf-16", "utf-8", "utf-32"] satisfies readonly PositionEncoding[];

/** The first encoding that a client offers and that is known; UTF-16 where it says nothing, as the protocol wants it. */
export function chooseEncoding(offered: readonly string[] | undefined): PositionEncoding {
  return (offered?.find((name) => known.includes(name)) as PositionEncoding | undefined) ?? "utf-16";
}

/**
 * Converts between offsets and the protocol's positions, in the encoding that was agreed on.
 *
 * Nothing here throws. A position that the text does not have, such as one of a text that has changed since, is moved
 * to the nearest one before it: past the end of a line to its end, past the last line to the end of the text. A column
 * inside a character becomes the one before that character.
 *
 * Law: `toOffset(lines, toPosition(lines, offset))` equals `offset` wherever that is neither inside a surrogate pair
 * nor inside a line ending.
 */
export class Positions {
  readonly encoding: PositionEncoding;

  constructor(encoding: PositionEncoding) {
    this.encoding = encoding;
  }

  /** The offset of a position. */
  toOffset(lines: Lines, { line, character }: Position): number {
    if (!(line >= 0)) return 0;
    const lineIndex = Math.floor(line);
    if (lineIndex >= lines.count) return lines.source.length;
    const start = lines.start(lineIndex);
    const end = lines.end(lineIndex);
    if (!(character > 0)) return start;
    if (this.encoding === "utf-16") return Math.min(start + Math.floor(character), end);
    let offset = start;
    for (let left = character; offset < end; ) {
      const unit = lines.source.codePointAt(offset)!;
      left -= this.#lengthOf(unit);
      if (left < 0) break;
      offset += unit > 0xffff ? 2 : 1;
    }
    return offset;
  }

  /** The position of an offset of the text. */
  toPosition(lines: Lines, offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, lines.source.length));
    const line = lines.lineAt(clamped);
    const start = lines.start(line);
    const end = Math.min(clamped, lines.end(line));
    if (this.encoding === "utf-16") return { line, character: end - start };
    let character = 0;
    for (let at = start; at < end; ) {
      const unit = lines.source.codePointAt(at)!;
      at += unit > 0xffff ? 2 : 1;
      if (at <= end) character += this.#lengthOf(unit);
    }
    return { line, character };
  }

  /** The stretch of text between two positions, which may come in either order. */
  toTextRange(lines: Lines, { start, end }: Range): TextRange {
    const one = this.toOffset(lines, start);
    const other = this.toOffset(lines, end);
    return { start: Math.min(one, other), end: Math.max(one, other) };
  }

  /** A stretch of text as positions. */
  toRange(lines: Lines, { start, end }: TextRange): Range {
    return { start: this.toPosition(lines, start), end: this.toPosition(lines, end) };
  }

  #lengthOf(codePoint: number): number {
    if (this.encoding === "utf-32") return 1;
    // Half a surrogate pair is written as U+FFFD, in three bytes.
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
