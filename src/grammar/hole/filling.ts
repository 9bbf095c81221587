import type { Reader, Reading } from "../reading/reader.ts";

/** The text in a hole so far, as far as its continuations depend on it. Immutable. */
export interface Filling {
  /** The readings that are completable; none where the filling is not. */
  readonly readings: readonly Reading[];
  /**
   * The bytes from the start of the earliest open lexeme on; offsets in the readings count from
   * there.
   */
  readonly bytes: Uint8Array;
}

/** The questions that a hole answers about its fillings; `Hole` itself imports those who ask. */
export interface HoleQuestions {
  readonly reader: Reader;
  /** The filling with `bytes` added to it. */
  add(filling: Filling, bytes: Uint8Array): Filling;
  /** Whether the filling is completable. */
  isAlive(filling: Filling): boolean;
  /**
   * Whether the filling is complete: the text is in the language with it, and some filling of any
   * further holes.
   */
  canStop(filling: Filling): boolean;
  /** Whether the lexeme of `reading`, in the lexer's `state`, can continue into the suffix. */
  canContinueInSuffix(reading: Reading, filling: Filling, state: number): boolean;
  /**
   * What may be written of a name that must be equal to another one, where one comes next or is
   * being written; likeliest first.
   */
  namesAt(filling: Filling): readonly Uint8Array[];
}
