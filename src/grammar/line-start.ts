import type { Indentation } from "./layouts.ts";
import type { LexTables } from "./lex-tables.ts";

/** The beginning of a line that means something. */
export interface LineStart extends Indentation {
  /** Where the line starts, in bytes. */
  readonly start: number;
  /** Where its first lexeme stands; the end of the text where there is none yet. */
  readonly offset: number;
}

/**
 * The first line from `from` on that is not blank; lines of white space and comments are.
 *
 * Tabs reach to the next multiple of 8 columns, and a form feed starts counting anew, as in Python.
 */
export function findLineStart(lex: LexTables, bytes: Uint8Array, from: number, end: number): LineStart {
  let start = from;
  let columns = 0;
  let withNarrowTabs = 0;
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
    } else {
      const afterComment = skipComment(lex, bytes, at, end);
      if (afterComment === at) return { start, offset: at, columns, withNarrowTabs };
      at = afterComment;
      continue;
    }
    at++;
  }
  return { start, offset: end, columns, withNarrowTabs };
}

/** Whether `byte` ends a line. */
export function isLineBreak(byte: number): boolean {
  return byte === 0x0a || byte === 0x0d;
}

/** Where the trivia without line breaks at `start` ends, as far as there is text; `start` itself where there is none. */
function skipComment(
  { next, classOf, classCount, match, matches, modes, brokenLine }: LexTables,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  let state = modes[0]!.start;
  let after = start;
  for (let at = start; at < end; ) {
    state = next[state * classCount + classOf[bytes[at]!]!]!;
    if (state === 0) return after;
    at++;
    if (match[state] !== 0) after = matches[match[state]!]!.isTrivia && brokenLine[state] === 0 ? at : start;
  }
  // A comment may be cut in the middle of a character.
  return after > start ? end : start;
}
