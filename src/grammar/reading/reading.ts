import type { OpenNames } from "./open-names.ts";
import type { Spacing } from "./spacing.ts";
import type { Front } from "./stack.ts";

/**
 * One way to read a text up to a place: the stacks before the lexeme that is being written, and how
 * far that lexeme has come. Offsets count bytes.
 */
export interface Reading {
  readonly front: Front;
  /** The text between the last terminal and `start`. */
  readonly spacing: Spacing;
  /**
   * Where the lexeme starts; for a line whose indentation is being written, where the line starts.
   */
  readonly start: number;
  readonly lexeme: Lexeme | "none" | "indentation";
  /**
   * What was written that must be written the same again; nothing where the grammar has no such
   * names.
   */
  readonly names?: OpenNames | undefined;
}

/** A lexeme that may go on. */
export interface Lexeme {
  /** The state of the lexer behind what was read of it. */
  readonly state: number;
  /**
   * Where the longest match so far ends, and the lexer's state there; -1 and 0 where nothing has
   * matched.
   */
  readonly matchEnd: number;
  readonly matchState: number;
}

/** The reading in a text whose bytes stand `by` further on. */
export function movedReading(reading: Reading, by: number): Reading {
  const { lexeme } = reading;
  const start = reading.start + by;
  if (typeof lexeme === "string") return { ...reading, start };
  return { ...reading, start, lexeme: { ...lexeme, matchEnd: lexeme.matchEnd < 0 ? -1 : lexeme.matchEnd + by } };
}
