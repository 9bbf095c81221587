import type { Pattern } from "../lexing/pattern.ts";

/**
 * A grammar as its author wrote it, whatever the notation: rules, and how text becomes their
 * terminals.
 *
 * All of it is data. One description drives the lexer that goes forward, the lexing at the
 * junctions of a hole, and the summaries of what follows a hole.
 */
export interface GrammarSource {
  readonly name: string;
  /** The rule that a whole text is made of. */
  readonly start: string;
  readonly rules: readonly Rule[];
  readonly lexical: LexicalSource;
  /**
   * Rules and tokens that are written the same where one rule holds them twice, as the names of an
   * element at its start and its end. What holds them once opens nothing.
   */
  readonly same?: readonly SameRule[];
  /**
   * Texts that open what some text may only stand in, though no rule says so, such as a function
   * for `return`. Where a language's parser refuses what was filled in, endings with one of them
   * are tried.
   */
  readonly openings?: readonly string[];
}

/** A rule or a token by its name; see `GrammarSource.same`. */
export interface SameRule extends SourcePlace {
  readonly name: string;
}

/** Where something was declared, for what is said of it. */
export interface SourcePlace {
  /** Line of the notation it is at, from 0, where there is one. */
  readonly line?: number;
  /** The included file it is in; the grammar's own text where there is none. */
  readonly file?: string;
}

/** A named rule: what its name stands for. */
export interface Rule extends SourcePlace {
  readonly name: string;
  readonly expression: Expression;
}

/** The right side of a rule. */
export type Expression =
  /** A rule, a token, a virtual terminal or a terminal of the layout, by name. */
  | { readonly kind: "symbol"; readonly name: string }
  /** Text that stands for itself: a keyword, where the `word` token matches it, or punctuation. */
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "sequence"; readonly items: readonly Expression[] }
  | { readonly kind: "choice"; readonly items: readonly Expression[] }
  | { readonly kind: "optional"; readonly item: Expression }
  /** Any number of times, none included. */
  | { readonly kind: "repeat"; readonly item: Expression }
  /** Once or more. */
  | { readonly kind: "repeat1"; readonly item: Expression }
  /** Once or more, with `separator` between. */
  | { readonly kind: "list"; readonly item: Expression; readonly separator: Expression };

/** How text becomes terminals. */
export interface LexicalSource {
  readonly tokens: readonly TokenRule[];
  /** The token whose lexemes keywords are; a literal that it matches whole is a keyword. */
  readonly word?: string;
  /**
   * Keywords that are never a word. A keyword not among them is both: its lexeme may be read as
   * either.
   */
  readonly reserved: readonly string[];
  /** The first is the default one. Empty for a single mode of all tokens. */
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
 * A lexeme with a name. Within a mode the longest match wins; among equally long ones literals win
 * over patterns, and a pattern over those declared later.
 */
export interface TokenRule extends SourcePlace {
  readonly name: string;
  readonly pattern: Pattern;
  /**
   * `token`: a terminal. `trivia`: may stand between any two terminals and means nothing, such as
   * white space and comments. `never`: longest match counts and no rule takes it, such as a comment
   * that is never closed.
   */
  readonly kind: "token" | "trivia" | "never";
  /**
   * The terminals that one lexeme stands for, one after the other: `?.5` in script is `?` and then
   * a number. Names of tokens, or literals as `{ literal }`.
   */
  readonly splitsInto?: readonly (string | { readonly literal: string })[];
}

/**
 * Tokens that are looked for together. Which modes are tried at a place follows from the terminals
 * that the parser can take there.
 */
export interface ModeRule extends SourcePlace {
  readonly name: string;
  /** Names of tokens (trivia too), or literals. */
  readonly members: readonly (string | { readonly literal: string })[];
}

/**
 * A terminal without text, taken before the next one under a condition.
 *
 * `require`: a rule asks for it to state the condition, such as "on the same line". `insert`: it
 * stands for text that may be left out, such as an automatic semicolon, and is taken only where
 * what comes next cannot be taken without it.
 */
export interface VirtualRule extends SourcePlace {
  readonly name: string;
  readonly kind: "require" | "insert";
  readonly when: VirtualCondition;
}

/**
 * When a virtual terminal may be taken. A `require` wants every part that is given; an `insert`
 * wants one of `newline: "with"` and `nextIn`.
 */
export interface VirtualCondition {
  /** Whether a line break is before the next terminal. */
  readonly newline?: "with" | "without";
  /** `true`: nothing at all is before the next terminal. */
  readonly glued?: boolean;
  /** The next terminal is one of these: tokens by name, literals, `end` for the end of the text. */
  readonly nextIn?: readonly NextTerminal[];
  readonly nextNotIn?: readonly NextTerminal[];
}

/** A terminal as a condition names it. */
export type NextTerminal = string | { readonly literal: string } | "end";

/**
 * Lines and indentation that mean something, as in Python.
 *
 * A line break is `newline`, unless the innermost bracket around it suspends the layout; a line
 * that is deeper than the one before opens with `indent`; a line that is less deep opens with one
 * `dedent` for each block it ends, and must be as deep as one that is open. Lines of trivia alone
 * mean nothing. Tabs reach to the next multiple of 8 columns, and a line whose depth depends on how
 * wide a tab is, is refused.
 */
export interface LayoutRule extends SourcePlace {
  /** Names of the terminals without text. */
  readonly newline: string;
  readonly indent: string;
  readonly dedent: string;
  /**
   * Literals or tokens between which line breaks are trivia. A rule that holds a closing one ends
   * with it, so that the parser is back outside as soon as it is read.
   */
  readonly brackets: readonly { readonly open: readonly NextTerminal[]; readonly close: readonly NextTerminal[] }[];
}

/**
 * A grammar as JSON. JSON has no infinite numbers: a repetition without an upper bound has
 * `"max": null`.
 *
 * Law: `readGrammarSource` reads the same grammar from it.
 */
export function printGrammarSource(source: GrammarSource): string {
  return JSON.stringify(source);
}

/**
 * The grammar that {@link printGrammarSource} wrote. Throws `SyntaxError` for a text that is no
 * JSON.
 */
export function readGrammarSource(text: string): GrammarSource {
  return JSON.parse(text, (key, value: unknown) =>
    key === "max" && value === null ? Number.POSITIVE_INFINITY : value,
  ) as GrammarSource;
}
