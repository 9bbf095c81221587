import type { LexTables } from "../lexing/lex-tables.ts";
import type { ParseTables } from "./parse-tables.ts";

/** A grammar ready for use: its tables, and what ties the parser and the lexer together. */
export interface CompiledGrammar {
  readonly name: string;
  readonly tables: ParseTables;
  readonly lex: LexTables;
  /**
   * The modes to look for lexemes in, for each state of the parser: the fewest whose tokens cover
   * the terminals that the state can take, as indexes into `lex.modes`.
   */
  readonly modesOf: readonly Uint8Array[];
  readonly virtuals: readonly VirtualTerminal[];
  readonly layout?: Layout;
  /**
   * Symbols that are written the same where a production holds them twice; see
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
  /** Whether each terminal is among those the condition names. */
  readonly nextIn?: Uint8Array;
  readonly nextNotIn?: Uint8Array;
}

/** Lines and indentation that mean something; see `LayoutRule`. */
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
