import { type Indentation, suspended } from "../lexing/layouts.ts";
import type { StackNode } from "../reading/stack.ts";
import type { EndingParts, EndingPiece } from "./ending-plans.ts";
import type { Filling } from "./filling.ts";

/** The most texts that are tried for one ending. */
const maxAttempts = 400;

const nothing = new Uint8Array();
const blank = Uint8Array.of(0x20);
const lineBreak = Uint8Array.of(0x0a);

/**
 * Writes the pieces of an ending one after the other, and returns their bytes, without those of the
 * filling. Where a piece makes the filling incompletable, a blank or a line break is tried before
 * it; `undefined` where nothing works in 400 attempts.
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
   * The texts to try for a piece, likeliest first: for a name that must be equal to another one,
   * that one.
   */
  #textsOf(
    piece: EndingPiece,
    next: EndingPiece | undefined,
    filling: Filling,
    last: number | undefined,
  ): readonly Uint8Array[] {
    const usual = this.#usualTextsOf(piece, next, filling, last);
    // Names begin with word characters.
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

  /** A text as it is, and separated from the one before. */
  #spaced(text: Uint8Array, filling: Filling, last: number | undefined): readonly Uint8Array[] {
    const indented = this.#indentations(filling).map((blanks) => joined([blanks, text]));
    const apart = joined([blank, text]);
    const onNextLine = joined([lineBreak, text]);
    const wouldJoin = last !== undefined && isWordByte(last) && text.length > 0 && isWordByte(text[0]!);
    return [...indented, ...(wouldJoin ? [apart, onNextLine, text] : [text, apart, onNextLine])];
  }

  /**
   * At the start of a line: the white space that brings it to the depth of each open block, and of
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
   * A line break with the indentation of an open block, or of a new one; or without, where the
   * suffix has its own.
   */
  #lineBreaks(filling: Filling, opensBlock: boolean): readonly Uint8Array[] {
    const { open, opened } = lineOpenings(this.#parts, filling);
    const margin = { columns: 0, withNarrowTabs: 0 };
    return [...(opensBlock ? opened : open), margin].map((line) => joined([lineBreak, writeIndentation(line)]));
  }
}

/** The concatenation of `parts`. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The columns by which a new block is deeper. */
const newBlockColumns = 4;

/** The indentations that a line after a filling may have. */
export interface LineOpenings {
  /** The indentations of the open blocks, deepest first. */
  readonly open: readonly Indentation[];
  /**
   * The indentations of a block that the line opens: our own, and those that lines of the suffix
   * need.
   */
  readonly opened: readonly Indentation[];
}

/**
 * The indentations that a line after `filling` may have: those of the open blocks, deepest first,
 * and those of a block that the line opens.
 */
export function lineOpenings({ hole, behind }: EndingParts, filling: Filling): LineOpenings {
  const { layouts } = hole.reader.parser;
  const open = [...openLayouts(filling)]
    .map((layout) => layouts.indentation(layout))
    .sort((a, b) => b.columns - a.columns);
  const [deepest = { columns: 0, withNarrowTabs: 0 }] = open;
  const own = {
    columns: deepest.columns + newBlockColumns,
    withNarrowTabs: deepest.withNarrowTabs + newBlockColumns,
  };
  return { open, opened: [own, ...behind.indentations.filter(({ columns }) => columns > deepest.columns)] };
}

/**
 * White space of this depth, in UTF-8, with as few tabs as possible; a tab absorbs blanks before
 * it. Where no white space has both depths, blanks for `columns`.
 */
export function writeIndentation({ columns, withNarrowTabs }: Indentation): Uint8Array {
  for (let tabs = 0; tabs <= columns / tabColumns; tabs++) {
    const blanks = columns - tabs * tabColumns;
    const takenIn = withNarrowTabs - tabs - blanks;
    if (takenIn < 0 || takenIn > tabs * (tabColumns - 1)) continue;
    const text = Array.from({ length: tabs }, (_, i) => {
      const before = Math.min(tabColumns - 1, Math.max(0, takenIn - i * (tabColumns - 1)));
      return `${" ".repeat(before)}\t`;
    });
    return new TextEncoder().encode(`${text.join("")}${" ".repeat(blanks)}`);
  }
  return new Uint8Array(columns).fill(0x20);
}

const tabColumns = 8;

/** The layouts of all open blocks. */
function openLayouts(filling: Filling): ReadonlySet<number> {
  const layouts = new Set<number>();
  const seen = new Set<StackNode>(filling.readings.flatMap(({ front }) => front.nodes));
  for (const node of seen) {
    if (node.layout !== suspended) layouts.add(node.layout);
    for (const under of node.below) seen.add(under);
  }
  return layouts;
}

/**
 * Whether a byte belongs to words in most languages: letters, digits, `_`, `$`, and all bytes
 * beyond ASCII.
 */
export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte === 0x24 ||
    byte >= 0x80
  );
}
