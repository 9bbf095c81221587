import { isWordByte } from "../tables/yield-costs.ts";
import type { EndingParts } from "./ending-parts.ts";
import type { EndingPiece } from "./ending-plans.ts";
import type { Filling } from "./filling.ts";
import { lineOpenings, writeIndentation } from "./line-openings.ts";

/** How many texts are tried to write the pieces of one ending. */
const maxAttempts = 400;

const nothing = new Uint8Array();
const blank = Uint8Array.of(0x20);
const lineBreak = Uint8Array.of(0x0a);

/**
 * Writes the pieces of an ending one after the other, and tries again with a blank or a line break
 * where that comes to nothing; `undefined` where it always does.
 */
export function writeEnding(
  parts: EndingParts,
  filling: Filling,
  pieces: readonly EndingPiece[],
): Uint8Array | undefined {
  const written = new EndingWriter(parts).write(filling, pieces, 0, filling.bytes.at(-1));
  return written === undefined ? undefined : joined(written);
}

class EndingWriter {
  readonly #parts: EndingParts;
  #attempts = 0;

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  write(
    filling: Filling,
    pieces: readonly EndingPiece[],
    at: number,
    last: number | undefined,
  ): Uint8Array[] | undefined {
    if (!this.#parts.hole.isAlive(filling) || this.#attempts++ > maxAttempts) return undefined;
    if (this.#parts.goesOn?.() === false) return undefined;
    if (at === pieces.length) return this.#stop(filling);
    const piece = pieces[at]!;
    for (const text of this.#textsOf(piece, pieces[at + 1], filling, last)) {
      const rest = this.write(this.#parts.hole.add(filling, text), pieces, at + 1, text.at(-1) ?? last);
      if (rest !== undefined) return [text, ...rest];
    }
    return undefined;
  }

  #stop(filling: Filling): Uint8Array[] | undefined {
    for (const bytes of [nothing, blank, lineBreak, ...this.#indentations(filling)]) {
      if (this.#parts.hole.canStop(this.#parts.hole.add(filling, bytes))) return [bytes];
    }
    return undefined;
  }

  /**
   * The ways to write a piece, the likeliest first: a name that must agree with another one as that
   * is written.
   */
  #textsOf(
    piece: EndingPiece,
    next: EndingPiece | undefined,
    filling: Filling,
    last: number | undefined,
  ): readonly Uint8Array[] {
    const usual = this.#usualTextsOf(piece, next, filling, last);
    // No name is made of signs.
    const isName = usual.some((text) => text.length === 0 || isWordByte(text[0]!));
    return isName ? [...this.#parts.hole.namesAt(filling), ...usual] : usual;
  }

  #usualTextsOf(
    piece: EndingPiece,
    next: EndingPiece | undefined,
    filling: Filling,
    last: number | undefined,
  ): readonly Uint8Array[] {
    if (typeof piece !== "number") return this.#spaced(piece, filling, last);
    const { grammar } = this.#parts.hole.reader.parser;
    const { layout } = grammar;
    if (piece === layout?.newline) return this.#lineBreaks(filling, next === layout.indent);
    if (piece === layout?.indent || piece === layout?.dedent) return [nothing];
    const virtual = grammar.virtuals.find(({ terminal }) => terminal === piece);
    if (virtual?.kind === "require") return [nothing];
    if (virtual !== undefined) return [nothing, lineBreak];
    return this.#spaced(grammar.lex.shortest[piece]!, filling, last);
  }

  /** A text as it is, or with what keeps it apart from the one before. */
  #spaced(text: Uint8Array, filling: Filling, last: number | undefined): readonly Uint8Array[] {
    const indented = this.#indentations(filling).map((blanks) => joined([blanks, text]));
    const apart = joined([blank, text]);
    const onNextLine = joined([lineBreak, text]);
    const wouldJoin = last !== undefined && isWordByte(last) && text.length > 0 && isWordByte(text[0]!);
    return [...indented, ...(wouldJoin ? [apart, onNextLine, text] : [text, apart, onNextLine])];
  }

  /**
   * Where a line has begun: the blanks that take it to the depth of each block that is open, and of
   * a new one.
   */
  #indentations(filling: Filling): readonly Uint8Array[] {
    const line = filling.readings.find(({ lexeme }) => lexeme === "indentation");
    if (line === undefined) return [];
    const begun = filling.bytes.subarray(line.start);
    const { open, opened } = lineOpenings(this.#parts, filling);
    return [...open, ...opened]
      .map(writeIndentation)
      .filter((blanks) => blanks.length >= begun.length && begun.every((byte, i) => byte === blanks[i]))
      .map((blanks) => blanks.subarray(begun.length));
  }

  /**
   * A line break, and the indentation of a block that is open, or of a new one; or none, where the
   * text behind brings its own.
   */
  #lineBreaks(filling: Filling, opensBlock: boolean): readonly Uint8Array[] {
    const { open, opened } = lineOpenings(this.#parts, filling);
    const margin = { columns: 0, withNarrowTabs: 0 };
    return [...(opensBlock ? opened : open), margin].map((line) => joined([lineBreak, writeIndentation(line)]));
  }
}

/** All bytes of `parts`, one after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
