import type { Indentation } from "./layouts.ts";
import type { LexTables } from "./lex-tables.ts";

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
