import type { LexTables } from "./lex-tables.ts";
/**
 * Layout of a place between brackets, where line breaks mean nothing; also of every place of a
 * grammar without layout.
 */
export const suspended = 0;

/** How deep a line is: its columns with tabs to multiples of 8, and with tabs of one column. */
export interface Indentation {
  readonly columns: number;
  readonly withNarrowTabs: number;
}

/**
 * How one indentation stands to another: as `compare` says it, or not the same way for every width
 * of a tab.
 */
export type IndentationOrder = "same" | "deeper" | "shallower" | "inconsistent";

/** The indentations that occur, counted: a number for each, from 1. */
export class Layouts {
  readonly #indentations: Indentation[] = [{ columns: 0, withNarrowTabs: 0 }];
  readonly #ids = new Map<string, number>();

  /** Blocks at the left margin. */
  static readonly margin = 1;

  constructor() {
    this.#indentations.push({ columns: 0, withNarrowTabs: 0 });
    this.#ids.set("0,0", Layouts.margin);
  }

  /** The layout of a block that is indented so. */
  of({ columns, withNarrowTabs }: Indentation): number {
    const key = `${columns},${withNarrowTabs}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#indentations.length;
    this.#indentations.push({ columns, withNarrowTabs });
    this.#ids.set(key, id);
    return id;
  }

  /** How the block of `layout` is indented. */
  indentation(layout: number): Indentation {
    return this.#indentations[layout]!;
  }

  /** How a line of `layout` stands to the block of `block`. */
  compare(layout: number, block: number): IndentationOrder {
    if (layout === block) return "same";
    const a = this.#indentations[layout]!;
    const b = this.#indentations[block]!;
    if (a.columns > b.columns && a.withNarrowTabs > b.withNarrowTabs) return "deeper";
    if (a.columns < b.columns && a.withNarrowTabs < b.withNarrowTabs) return "shallower";
    return "inconsistent";
  }
}

/** The beginning of a line that means something. */
export interface LineStart extends Indentation {
  /** Where the line starts, in bytes. */
  readonly start: number;
  /** The place of its first lexeme; the end of the text where there is none yet. */
  readonly offset: number;
  /** Whether the text ends where it is joined to a line that is not there. */
  readonly isCut: boolean;
}

/**
 * The first line from `from` on that is not blank; lines of white space and comments are.
 *
 * Tabs reach to the next multiple of 8 columns, and a form feed starts counting again, as in
 * Python. So does a line that is joined to the next one at the margin; deeper ones begin where they
 * are joined.
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

/** What joins a line to the next, in grammars where it is trivia with the end of the line. */
export const backslash = 0x5c;

/** Whether `byte` ends a line. */
export function isLineBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/**
 * Where the trivia at `start` ends, as far as there is text; `start` itself where there is none. It
 * either joins two lines, or has no line break in it.
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
  // What joins lines may be cut anywhere, a comment in the middle of a character.
  return joinsLines || after > start ? end : start;
}
