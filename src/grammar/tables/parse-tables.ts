/**
 * An LALR(1) automaton with all of its conflicts, and the productions of its grammar.
 *
 * The grammar is reduced (each symbol is reachable and derives some text) and has no empty
 * productions, so that each reduction pops at least one symbol. A symbol is a number: terminal `t`
 * is `t`, nonterminal `n` is `terminals.length + n`.
 *
 * Source: DeRemer and Pennello 1982, "Efficient Computation of LALR(1) Look-Ahead Sets". Conflicts
 * are kept because a recogniser needs no tree; a resolved conflict would make the state depend on
 * the lookahead, which a hole does not know.
 */
export interface ParseTables {
  /**
   * The names of the terminals; 0 is the end of the text. The name of a literal is its text in
   * quotes, such as `"if"`.
   */
  readonly terminals: readonly string[];
  readonly nonterminals: readonly string[];
  /** The left side of each production, as the index of a nonterminal. */
  readonly productionLeft: Uint16Array;
  /** The right side of each production: symbols, at least one. */
  readonly productionRight: readonly Uint16Array[];
  readonly stateCount: number;
  /**
   * The shift action: the state that `terminal` leads to from `state`, at
   * `state * terminals.length + terminal`; 0 for none.
   */
  readonly shift: Uint16Array;
  /**
   * The reductions of `state` with the lookahead `terminal`, at
   * `state * terminals.length + terminal`: an index into `reductionLists`, of which 0 is the empty
   * list. As LALR merges lookaheads, a list can hold reductions that no text allows there.
   */
  readonly reduce: Uint16Array;
  /** Lists of productions. */
  readonly reductionLists: readonly Uint16Array[];
  /**
   * The goto table: the state that `nonterminal` leads to from `state`, at
   * `state * nonterminals.length + nonterminal`; 0 for none.
   */
  readonly goto: Uint16Array;
  /**
   * The state after the start symbol, which accepts at the end of the text. The automaton starts in
   * state 0.
   */
  readonly acceptState: number;
  /** Whether the empty text belongs to the language; no production derives it. */
  readonly acceptsEmpty: boolean;
  /**
   * The kernel items of each state but the start: production `itemProduction[i]` with the dot
   * behind its first `itemDot[i]` symbols (at least one), for `i` in
   * `[itemStart[state], itemStart[state + 1])`.
   */
  readonly itemStart: Uint32Array;
  readonly itemProduction: Uint16Array;
  readonly itemDot: Uint8Array;
}
