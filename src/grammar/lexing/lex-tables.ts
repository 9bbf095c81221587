/**
 * The lexer: one deterministic automaton over the bytes of UTF-8, with a start state for each mode.
 *
 * State 0 is dead. A lexeme is the longest match from its mode's start; where the automaton dies
 * without having matched, there is none, and where it dies after a match, what was read since is
 * read again.
 */
export interface LexTables {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classCount: number;
  readonly stateCount: number;
  /** The next state, at `state * classCount + class`; 0 for none. */
  readonly next: Uint16Array;
  readonly modes: readonly LexMode[];
  /**
   * What is matched in `state`, as an index into `matches`; 0, whose entry is empty, for nothing.
   */
  readonly match: Uint16Array;
  readonly matches: readonly LexMatch[];
  /**
   * Whether the bytes from the start of a lexeme of trivia to `state` hold a line break; the
   * automaton keeps both apart.
   */
  readonly brokenLine: Uint8Array;
  /**
   * A shortest lexeme of each terminal, of letters where it can be; empty for virtual terminals and
   * those of the layout.
   */
  readonly shortest: readonly Uint8Array[];
}

/** Tokens that are looked for together. */
export interface LexMode {
  readonly name: string;
  readonly start: number;
  /** Whether each terminal can be matched in this mode. */
  readonly terminals: Uint8Array;
}

/** What a matched lexeme may be. */
export interface LexMatch {
  readonly isTrivia: boolean;
  /**
   * The terminals that it stands for: alternatives (a contextual keyword is also a word), each a
   * sequence of one or more. Empty for trivia, and for lexemes that nothing takes.
   */
  readonly readings: readonly Uint16Array[];
}

const found: WeakMap<LexTables, Uint8Array> = new WeakMap();

/**
 * For each state of the lexer 1 where any byte may follow in it, and 0 where its lexeme is over;
 * found out once of each lexer.
 */
export function statesThatGoOn(lex: LexTables): Uint8Array {
  const known = found.get(lex);
  if (known !== undefined) return known;
  const { stateCount, classCount, next } = lex;
  const states = Uint8Array.from({ length: stateCount }, (_, state) =>
    next.subarray(state * classCount, (state + 1) * classCount).some((to) => to !== 0) ? 1 : 0,
  );
  found.set(lex, states);
  return states;
}
