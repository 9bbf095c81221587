import type { LexTables } from "../lexing/lex-tables.ts";
import type { ParseTables } from "./parse-tables.ts";

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
