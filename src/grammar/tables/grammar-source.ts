import type { Pattern } from "../lexing/pattern.ts";

/**
 * A grammar as its author wrote it, in any notation: the rules, and how text becomes their
 * terminals.
 *
 * It is plain data. The lexer, the lexing at the boundaries of a hole, and the suffix analysis are
 * all derived from this one description.
 */
export interface GrammarSource {
  readonly name: string;
  /** The start symbol: the rule that derives whole texts. */
  readonly start: string;
  readonly rules: readonly Rule[];
  readonly lexical: LexicalSource;
  /**
   * Rules and tokens whose two occurrences in one rule must have the same text, such as an
   * element's name in its start tag and its end tag. A rule with one occurrence is not affected.
   */
  readonly same?: readonly SameRule[];
  /**
   * Texts that open a construct which some code needs around it although no rule requires it, such
   * as a function for `return`. Where a language's own parser refuses a filling, endings with one
   * of these texts are tried.
   */
  readonly openings?: readonly string[];
}

/** A rule or a token by its name; see `GrammarSource.same`. */
export interface SameRule extends SourcePlace {
  readonly name: string;
}

/** The place of a declaration, for issues about it. */
export interface SourcePlace {
  /** Line in the notation, from 0, where there is one. */
  readonly line?: number;
  /** The included file; absent for the grammar's own text. */
  readonly file?: string;
}

/** A rule: a nonterminal and its right side. */
export interface Rule extends SourcePlace {
  readonly name: string;
  readonly expression: Expression;
}

/** The right side of a rule. */
export type Expression =
  /** A rule, a token, a virtual terminal or a terminal of the layout, by name. */
  | { readonly kind: "symbol"; readonly name: string }
  /** Literal text: a keyword, where the `word` token matches it, or punctuation. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "choice"; readonly items: readonly Expression[] }
  | { readonly kind: "optional"; readonly item: Expression }
  /** Zero or more times. */
  | { readonly kind: "repeat"; readonly item: Expression }
  /** One or more times. */
  | { readonly kind: "repeat1"; readonly item: Expression }
  /** One or more times, with `separator` between. */
  | { readonly kind: "list"; readonly item: Expression; readonly separator: Expression };

/** How text becomes terminals. */
export interface LexicalSource {
  readonly tokens: readonly TokenRule[];
  /** The token that keywords look like; a literal that it matches as a whole is a keyword. */
  readonly word?: string;
  /**
   * Keywords that are never read as the `word` token. The lexeme of any other keyword may be read
   * as either.
   */
  readonly reserved: readonly string[];
  /** The first mode is the default. Empty for a single mode of all tokens. */
  readonly modes: readonly ModeRule[];
  readonly virtuals: readonly VirtualRule[];
  readonly layout?: LayoutRule;
  /**
   * The characters that end a line; default: `[\n\r]`. Trivia that holds one of them counts as a
   * line break.
   */
  readonly newline: Pattern;
  /** Where `word`, `reserved` and `newline` were declared. */
  readonly places?: Readonly<Partial<Record<"word" | "reserved" | "newline", SourcePlace>>>;
}

/**
 * A named kind of lexeme. Within a mode the longest match wins; among matches of one length
 * literals win over patterns, and patterns over those declared later.
 */
export interface TokenRule extends SourcePlace {
  readonly name: string;
  readonly pattern: Pattern;
  /**
   * `token`: a terminal. `trivia`: insignificant text between any two terminals, such as white
   * space and comments. `never`: takes part in longest match but in no rule, such as a comment that
   * is never closed.
   */
  readonly kind: "token" | "trivia" | "never";
  /**
   * The sequence of terminals that one lexeme is read as: in script, `?.5` is `?` followed by a
   * number. Names of tokens, or literals as `{ literal }`.
   */
  readonly splitsInto?: readonly (string | { readonly literal: string })[];
}

/**
 * A set of tokens that the lexer recognises together. The modes to try at a position follow from
 * the terminals that the parser can take there.
 */
export interface ModeRule extends SourcePlace {
  readonly name: string;
  /** Names of tokens (trivia too), or literals. */
  readonly members: readonly (string | { readonly literal: string })[];
}

/**
 * A terminal without text, which the parser takes before the next terminal under a condition.
 *
 * `require`: a rule states a condition with it, such as "on the same line". `insert`: it replaces
 * text that may be omitted, such as an automatic semicolon, and is taken only where the parser
 * can't take the next terminal without it.
 */
export interface VirtualRule extends SourcePlace {
  readonly name: string;
  readonly kind: "require" | "insert";
  readonly when: VirtualCondition;
}

/**
 * When a virtual terminal may be taken. A `require` needs every given part to hold; an `insert`
 * needs one of `newline: "with"` and `nextIn`.
 */
export interface VirtualCondition {
  /** Whether a line break precedes the next terminal. */
  readonly newline?: "with" | "without";
  /** `true`: no trivia precedes the next terminal. */
  readonly glued?: boolean;
  /** The next terminal is one of these: tokens by name, literals, `end` for the end of the text. */
  readonly nextIn?: readonly NextTerminal[];
  readonly nextNotIn?: readonly NextTerminal[];
}

/** A terminal as a condition names it. */
export type NextTerminal = string | { readonly literal: string } | "end";

/**
 * Significant line breaks and indentation, as in Python.
 *
 * A line break is the terminal `newline`, unless the innermost enclosing bracket suspends the
 * layout. A line that is deeper than the one before begins with `indent`; a shallower one begins
 * with one `dedent` for each block that it ends, and must have the depth of an open block. Lines of
 * trivia alone are ignored. Tabs reach to the next multiple of 8 columns; a line whose depth
 * depends on the width of a tab is refused.
 */
export interface LayoutRule extends SourcePlace {
  /** Names of the terminals without text. */
  readonly newline: string;
  readonly indent: string;
  readonly dedent: string;
  /**
   * Brackets between which line breaks are trivia. A rule that holds a closing bracket ends with
   * it, so that the parser leaves the bracket as soon as it is read.
   */
  readonly brackets: readonly { readonly open: readonly NextTerminal[]; readonly close: readonly NextTerminal[] }[];
}

/**
 * Prints a grammar as JSON. An unlimited repetition has `"max": null`, since JSON has no infinity.
 *
 * Law: `readGrammarSource` reads the same grammar from it.
 */
export function printGrammarSource(source: GrammarSource): string {
  return JSON.stringify(source);
}

/**
 * Reads what {@link printGrammarSource} printed. Throws `SyntaxError` for a text that is not JSON;
 * does not check the shape of the value.
 */
export function readGrammarSource(text: string): GrammarSource {
  return JSON.parse(text, (key, value: unknown) =>
    key === "max" && value === null ? Number.POSITIVE_INFINITY : value,
  ) as GrammarSource;
}
