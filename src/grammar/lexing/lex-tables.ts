import { getOrInsert } from "../../text/index.ts";

/**
 * The tables of a lexer: one deterministic automaton over the bytes of UTF-8, with a start state
 * for each mode.
 *
 * State 0 is dead. A lexeme is the longest match from its mode's start: where the automaton dies,
 * the lexeme ends at the last match, and the bytes since are read again. Without a match there is
 * no lexeme.
 */
export interface LexTables {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classCount: number;
  readonly stateCount: number;
  /** The next state, at `state * classCount + class`; 0 for none. */
  readonly next: Uint16Array;
  readonly modes: readonly LexMode[];
  /** The match in `state`, as an index into `matches`; 0, whose entry is empty, for none. */
  readonly match: Uint16Array;
  readonly matches: readonly LexMatch[];
  /**
   * For each state, 1 where the bytes of a trivia lexeme up to it contain a line break; the
   * automaton keeps the two cases in separate states.
   */
  readonly brokenLine: Uint8Array;
  /**
   * A shortest lexeme of each terminal, of letters where possible; empty for virtual terminals and
   * those of the layout.
   */
  readonly shortest: readonly Uint8Array[];
}

/** A set of tokens that are recognised together. */
export interface LexMode {
  readonly name: string;
  readonly start: number;
  /** For each terminal, 1 where this mode can match it. */
  readonly terminals: Uint8Array;
}

/** What a lexeme is read as. */
export interface LexMatch {
  readonly isTrivia: boolean;
  /**
   * The alternative readings (a contextual keyword is also a word), each a sequence of one or more
   * terminals. Empty for trivia, and for lexemes that no rule uses.
   */
  readonly readings: readonly Uint16Array[];
}

const extensible: WeakMap<LexTables, Uint8Array> = new WeakMap();

/**
 * For each state of the lexer 1 where it has a transition, and 0 where a lexeme in it is over;
 * computed once for each lexer.
 */
export function extensibleStates(lex: LexTables): Uint8Array {
  return getOrInsert(extensible, lex, () => {
    const { stateCount, classCount, next } = lex;
    return Uint8Array.from({ length: stateCount }, (_, state) =>
      next.subarray(state * classCount, (state + 1) * classCount).some((to) => to !== 0) ? 1 : 0,
    );
  });
}
