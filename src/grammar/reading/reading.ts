import type { OpenNames } from "./open-names.ts";
import type { Spacing } from "./spacing.ts";
import type { Front } from "./stack.ts";

/**
 * One way to read a text up to an offset: the stacks before the current lexeme, and the state of
 * that lexeme. Offsets count bytes.
 */
export interface Reading {
  readonly front: Front;
  /** The trivia between the last terminal and `start`. */
  readonly spacing: Spacing;
  /** The offset of the current lexeme; of the line, while its indentation is being read. */
  readonly start: number;
  readonly lexeme: Lexeme | "none" | "indentation";
  /** The open names that must occur again; absent where the grammar has no such names. */
  readonly names?: OpenNames | undefined;
}

/** A lexeme that may be extended. */
export interface Lexeme {
  /** The lexer's state after the bytes so far. */
  readonly state: number;
  /** The end of the longest match so far, and the lexer's state there; -1 and 0 for no match. */
  readonly matchEnd: number;
  readonly matchState: number;
}

/** The reading with all offsets moved by `by` bytes. */
export function movedReading(reading: Reading, by: number): Reading {
  const { lexeme } = reading;
  const start = reading.start + by;
  if (typeof lexeme === "string") return { ...reading, start };
  return { ...reading, start, lexeme: { ...lexeme, matchEnd: lexeme.matchEnd < 0 ? -1 : lexeme.matchEnd + by } };
}
