import type { Reader } from "../reading/reader.ts";
import type { Reading } from "../reading/reading.ts";

/** What a hole holds so far, as far as its future depends on it. Immutable. */
export interface Filling {
  /** The ways to read it that can still become a whole text; none where it is dead. */
  readonly readings: readonly Reading[];
  /**
   * The bytes from the earliest lexeme on that may still change; the readings count from its first
   * one.
   */
  readonly bytes: Uint8Array;
}

/** What can be asked of a hole. */
export interface HoleQuestions {
  readonly reader: Reader;
  /** The filling with `bytes` added to it. */
  add(filling: Filling, bytes: Uint8Array): Filling;
  /** Whether the filling may go on to a whole text. */
  isAlive(filling: Filling): boolean;
  /** Whether the text is whole with this filling as it is, and some filling of the holes behind. */
  canStop(filling: Filling): boolean;
  /**
   * Whether the lexeme of `reading`, once it has come to the lexer's `state`, can run on into the
   * text behind the hole.
   */
  mayRunOn(reading: Reading, filling: Filling, state: number): boolean;
  /**
   * What may be written of a name that must agree with another one, where the filling awaits one or
   * has begun it; the likeliest first.
   */
  namesAt(filling: Filling): readonly Uint8Array[];
}
