import type { LexTables } from "../lexing/lex-tables.ts";

/** A compiled grammar: parse tables, lexer, and what connects the two. */
export interface CompiledGrammar {
  readonly name: string;
  readonly tables: ParseTables;
  readonly lex: LexTables;
  /**
   * The lexer modes of each parser state, as indexes into `lex.modes`: the fewest whose tokens
   * cover the terminals that the state can take.
   */
  readonly modesOf: readonly Uint8Array[];
  readonly virtuals: readonly VirtualTerminal[];
  readonly layout?: Layout;
  /**
   * Symbols whose two occurrences in a production must have the same text; see
   * `GrammarSource.same`. None where it is missing.
   */
  readonly same?: readonly number[];
  /** See `GrammarSource.openings`. None where it is missing. */
  readonly openings?: readonly string[];
}

/** A terminal without text; see `VirtualRule`. */
export interface VirtualTerminal {
  readonly terminal: number;
  readonly kind: "require" | "insert";
  readonly newline?: "with" | "without";
  readonly glued?: boolean;
  /** For each terminal, 1 where the condition names it. */
  readonly nextIn?: Uint8Array;
  readonly nextNotIn?: Uint8Array;
}

/** Significant line breaks and indentation; see `LayoutRule`. */
export interface Layout {
  readonly newline: number;
  readonly indent: number;
  readonly dedent: number;
  /**
   * For each terminal: 1 where it opens a bracket that suspends the layout, 2 where it closes one,
   * else 0.
   */
  readonly bracket: Uint8Array;
}

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
