import type { Position, Range } from "vscode-languageserver";
import type { Lines, TextRange } from "../text/index.ts";

/** The unit of a column in the protocol: UTF-16 code units, UTF-8 bytes, or code points. */
export type PositionEncoding = "utf-16" | "utf-8" | "utf-32";

const known: readonly string[] = ["utf-16", "utf-8", "utf-32"] satisfies readonly PositionEncoding[];

/**
 * The first of the encodings `offered` by the client that is supported; UTF-16 if there is none,
 * the protocol's default.
 */
export function chooseEncoding(offered: readonly string[] | undefined): PositionEncoding {
  return (offered?.find((name) => known.includes(name)) as PositionEncoding | undefined) ?? "utf-16";
}

/**
 * Converts between offsets and the protocol's positions, in the negotiated encoding.
 *
 * Never throws. A position outside of the text, such as one of an older version, is clamped: past
 * the end of a line to its end, past the last line to the end of the text. A column inside a
 * character is moved to the start of that character.
 *
 * Law: `toOffset(lines, toPosition(lines, offset))` equals `offset` where `offset` is neither
 * inside a surrogate pair nor inside a line ending.
 */
export class Positions {
  readonly encoding: PositionEncoding;

  constructor(encoding: PositionEncoding) {
    this.encoding = encoding;
  }

  /**
   * The offset of a position, in UTF-16 code units. Lines and characters start at 0; a position
   * outside of the text is clamped, so it does not throw.
   */
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

  /**
   * The position of an offset in UTF-16 code units; an offset outside of the text is clamped, so it
   * does not throw.
   */
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

  /** The range of text between two positions, which may be given in either order. */
  toTextRange(lines: Lines, { start, end }: Range): TextRange {
    const one = this.toOffset(lines, start);
    const other = this.toOffset(lines, end);
    return { start: Math.min(one, other), end: Math.max(one, other) };
  }

  /** The protocol range of a range of text. */
  toRange(lines: Lines, { start, end }: TextRange): Range {
    return { start: this.toPosition(lines, start), end: this.toPosition(lines, end) };
  }

  #lengthOf(codePoint: number): number {
    if (this.encoding === "utf-32") return 1;
    // A lone surrogate is encoded as U+FFFD, in three bytes.
    return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  }
}
