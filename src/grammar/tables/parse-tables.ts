/**
 * An LALR(1) automaton with all of its conflicts kept, and the grammar it was made from.
 *
 * The grammar is trimmed (each symbol is reachable and stands for some text) and free of empty
 * rules, so that each reduction takes at least one symbol off the stack. A symbol is a number:
 * terminal `t` is `t`, nonterminal `n` is `terminals.length + n`.
 *
 * Source: DeRemer and Pennello 1982, "Efficient Computation of LALR(1) Look-Ahead Sets". Conflicts
 * are kept, since a recogniser needs no tree: with a resolved conflict a hole would have to track
 * what was looked ahead at.
 */
export interface ParseTables {
  /**
   * The terminals' names; 0 is the end of the text. A literal is called by its text in quotes, such
   * as `"if"`.
   */
  readonly terminals: readonly string[];
  readonly nonterminals: readonly string[];
  /** The nonterminal that each production makes. */
  readonly productionLeft: Uint16Array;
  /** The symbols that each production is made of; one at least. */
  readonly productionRight: readonly Uint16Array[];
  readonly stateCount: number;
  /**
   * The state that `terminal` leads to from `state`, at `state * terminals.length + terminal`; 0
   * where it leads nowhere.
   */
  readonly shift: Uint16Array;
  /**
   * What `state` may reduce when `terminal` comes next, at `state * terminals.length + terminal`:
   * an index into `reductionLists`, of which 0 is the empty one. A production may be listed in
   * states where only a merged lookahead asks for it.
   */
  readonly reduce: Uint16Array;
  /** Lists of productions. */
  readonly reductionLists: readonly Uint16Array[];
  /**
   * The state that a nonterminal leads to from `state`, at
   * `state * nonterminals.length + nonterminal`; 0 where nowhere.
   */
  readonly goto: Uint16Array;
  /**
   * The state after the whole start symbol, in which the end of the text is accepted. The automaton
   * starts in state 0.
   */
  readonly acceptState: number;
  /** Whether the empty text belongs to the language; no production says so. */
  readonly acceptsEmpty: boolean;
  /**
   * The kernel items of each state, but for that of the start: `itemProduction[i]` with
   * `itemDot[i]` symbols behind it (one at least), for `i` in
   * `[itemStart[state], itemStart[state + 1])`.
   */
  readonly itemStart: Uint32Array;
  readonly itemProduction: Uint16Array;
  readonly itemDot: Uint8Array;
}
