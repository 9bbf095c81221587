import { getOrInsert } from "../../text/index.ts";
import type { LexTables } from "./lex-tables.ts";

/**
 * The layout between brackets, where line breaks are trivia; also everywhere in a grammar without
 * layout.
 */
export const suspended = 0;

/** The depth of a line: its columns with tabs to multiples of 8, and with tabs of one column. */
export interface Indentation {
  readonly columns: number;
  readonly withNarrowTabs: number;
}

/**
 * How one indentation compares with another; `inconsistent` where that depends on the width of a
 * tab.
 */
export type IndentationOrder = "same" | "deeper" | "shallower" | "inconsistent";

/** Numbers the indentations that occur, from 1. */
export class Layouts {
  readonly #indentations: Indentation[] = [{ columns: 0, withNarrowTabs: 0 }];
  readonly #ids = new Map<string, number>();

  /** The layout of blocks at the left margin. */
  static readonly margin = 1;

  constructor() {
    this.#indentations.push({ columns: 0, withNarrowTabs: 0 });
    this.#ids.set("0,0", Layouts.margin);
  }

  /** The layout of a block with this indentation. */
  of({ columns, withNarrowTabs }: Indentation): number {
    const key = `${columns},${withNarrowTabs}`;
    return getOrInsert(this.#ids, key, () => this.#indentations.push({ columns, withNarrowTabs }) - 1);
  }

  /** The indentation of the blocks of `layout`. */
  indentation(layout: number): Indentation {
    return this.#indentations[layout]!;
  }

  /** Compares a line of `layout` with the block of `block`. */
  compare(layout: number, block: number): IndentationOrder {
    if (layout === block) return "same";
    const a = this.#indentations[layout]!;
    const b = this.#indentations[block]!;
    if (a.columns > b.columns && a.withNarrowTabs > b.withNarrowTabs) return "deeper";
    if (a.columns < b.columns && a.withNarrowTabs < b.withNarrowTabs) return "shallower";
    return "inconsistent";
  }
}

/** The start of a line that is not blank. */
export interface LineStart extends Indentation {
  /** The offset of the line, in bytes. */
  readonly start: number;
  /** The offset of its first lexeme, in bytes; the end of the text where there is none yet. */
  readonly offset: number;
  /** Whether the text ends in a line continuation, before the line that continues it. */
  readonly isCut: boolean;
}

/**
 * Finds the first line in `bytes` from the offset `from` on that is not blank, up to `end`; lines
 * of white space and comments are blank. Where there is none, the result's `offset` is `end`.
 *
 * Tabs reach to the next multiple of 8 columns, and a form feed resets the column, as in Python. A
 * continuation (a backslash at the end of a line) at the margin resets the column too; a deeper one
 * begins the line where it is.
 */
export function findLineStart(lex: LexTables, bytes: Uint8Array, from: number, end: number): LineStart {
  let start = from;
  let columns = 0;
  let withNarrowTabs = 0;
  let isCut = false;
  for (let at = from; at < end; ) {
    const byte = bytes[at]!;
    if (byte === 0x20) {
      columns++;
      withNarrowTabs++;
    } else if (byte === 0x09) {
      columns = (Math.floor(columns / 8) + 1) * 8;
      withNarrowTabs++;
    } else if (byte === 0x0c || isLineBreak(byte)) {
      columns = 0;
      withNarrowTabs = 0;
      if (byte !== 0x0c) start = at + 1;
    } else if (byte === backslash && columns === 0 && withNarrowTabs === 0) {
      const afterJoin = skipTrivia(lex, bytes, { start: at, end, joinsLines: true });
      if (afterJoin === at) return { start, offset: at, columns, withNarrowTabs, isCut: false };
      at = afterJoin;
      isCut = at === end;
      continue;
    } else {
      const afterComment = skipTrivia(lex, bytes, { start: at, end, joinsLines: false });
      if (afterComment === at) return { start, offset: at, columns, withNarrowTabs, isCut: false };
      at = afterComment;
      continue;
    }
    at++;
  }
  return { start, offset: end, columns, withNarrowTabs, isCut };
}

/** The character that continues a line, in grammars where a backslash with a line end is trivia. */
export const backslash = 0x5c;

/** Whether `byte` is `\n` or `\r`. */
export function isLineBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/**
 * The end of the trivia at `start`, or of the text in it; `start` where there is none. The trivia
 * is either a line continuation or without a line break.
 */
function skipTrivia(
  { next, classOf, classCount, match, matches, modes, brokenLine }: LexTables,
  bytes: Uint8Array,
  { start, end, joinsLines }: { readonly start: number; readonly end: number; readonly joinsLines: boolean },
): number {
  let state = modes[0]!.start;
  let after = start;
  for (let at = start; at < end; ) {
    state = next[state * classCount + classOf[bytes[at]!]!]!;
    if (state === 0) return after;
    at++;
    if (match[state] === 0) continue;
    after = matches[match[state]!]!.isTrivia && (brokenLine[state] !== 0) === joinsLines ? at : start;
  }
  // The text may end anywhere in a continuation, and inside of a character of a comment.
  return joinsLines || after > start ? end : start;
}
