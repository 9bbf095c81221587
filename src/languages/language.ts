import type { BinderSupport } from "./binder-support.ts";
import type { BlockTable } from "./block-table.ts";
import type { DeclarationStyle } from "./declaration-style.ts";
import type { JumpRule } from "./jump-rule.ts";
import type { LanguageTraits } from "./language-traits.ts";
import type { TreeNameRow } from "./tree-name-rules.ts";

/** The grammars that ship with the package; each is one wasm file. */
export type GrammarName =
  | "typescript"
  | "tsx"
  | "javascript"
  | "python"
  | "go"
  | "rust"
  | "java"
  | "c"
  | "cpp"
  | "c_sharp"
  | "ruby"
  | "php"
  | "json"
  | "bash"
  | "html"
  | "css";

/** The dialects of JavaScript that the script parser distinguishes. */
export type ScriptKind = "js" | "jsx" | "ts" | "tsx" | "dts";

/** An opening and a closing delimiter, such as `(` and `)`, or those of a block comment. */
export type Pair = readonly [open: string, close: string];

/** The delimiters, escapes and interpolation of a string literal. */
export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** What escapes a closing delimiter: a backslash before it, doubling it, or nothing. */
  readonly escape: "backslash" | "doubled" | "none";
  /** Whether the literal may span lines; if not, the end of the line closes it. */
  readonly multiline: boolean;
  /**
   * The delimiters of code inside the literal. The opening one contains a bracket, the closing one
   * is its partner.
   */
  readonly interpolation?: readonly Pair[];
  /** The word directly before `open`, such as the `f` of a Python literal; default: any word. */
  readonly after?: RegExp;
}

/** Features of single languages that the bracket scanner supports. */
export interface Quirks {
  /** `/` may open a regular expression literal. */
  readonly regex?: boolean;
  /** `<name` may open an element with text inside. */
  readonly jsx?: boolean;
  /** A line comment needs whitespace or the start of a line before it. */
  readonly spacedComments?: boolean;
  /** A heredoc's head; its last group is the tag that ends it. */
  readonly heredoc?: RegExp;
  /**
   * Whole literals that no pair of delimiters describes, such as Rust's characters or C++'s raw
   * strings: their possible first characters, and the pattern. One that begins with a letter only
   * matches at the start of a word.
   */
  readonly literals?: readonly (readonly [first: string, pattern: RegExp])[];
  /** Ruby's `%w[…]` family. */
  readonly percentLiterals?: boolean;
  /**
   * C#'s literals with three or more quotes, and as many braces around code as there are dollar
   * signs before them.
   */
  readonly quoteRuns?: boolean;
  /**
   * The shell's `${…}`, with quotes and brackets of its own, and `case … in pattern)`, whose
   * bracket closes nothing.
   */
  readonly shell?: boolean;
  /** A key that ends with a colon may be without a value. */
  readonly emptyValues?: boolean;
  /** Fences of Markdown may occur in a text. */
  readonly fences?: boolean;
  /** `$name` may read the store `name`. */
  readonly stores?: boolean;
  /** A name with capitals may be written in lower case with hyphens. */
  readonly hyphenatedNames?: boolean;
  /** Every element has an end tag or ends with `/>`. */
  readonly closedElements?: boolean;
  /** Text outside of these marks is not code. */
  readonly island?: Pair;
  /** The text consists of tags, with embedded scripts and styles. */
  readonly markup?: boolean;
}

/**
 * All that is known of a language: how its texts are scanned without parsing, and what each layer
 * needs beside the syntax tree. One record a language, in `records`; no layer distinguishes
 * languages by their ids.
 */
export interface Language {
  /** The id in editors, from VS Code's list. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** Extensions of file names, with the dot, in lower case. The longest match wins. */
  readonly extensions: readonly string[];
  /** Whole file names, in lower case. They win over extensions. */
  readonly filenames: readonly string[];
  /** A pattern for the first line, tested when the name has no known extension. */
  readonly firstLine?: RegExp;
  readonly lineComments: readonly string[];
  readonly blockComments: readonly Pair[];
  /** Whether block comments nest. */
  readonly nestedComments: boolean;
  /** In the order in which they are tried: longer openings first. */
  readonly strings: readonly StringRule[];
  readonly brackets: readonly Pair[];
  /** Whether indentation is part of the syntax. */
  readonly indentationSensitive: boolean;
  readonly quirks: Quirks;
  /** Whether a text consists of sentences. */
  readonly isProse: boolean;
  /** Whether a file is a component with scripts in its tags. */
  readonly isComponent: boolean;
  /** Whether the grammar accepts any indentation, so that it is checked by `layoutErrors`. */
  readonly checksLayout: boolean;
  /**
   * Whether its grammar leaves open what a bracket opens, so that deep nesting breaks the parser.
   */
  readonly hasAmbiguousBrackets?: boolean;
  /** Whether brackets need not match, as in prose. */
  readonly hasLooseBrackets?: boolean;
  /** Whether values are written without quotes. */
  readonly hasBareValues?: boolean;
  /** For JSON: whether comments and trailing commas are allowed. */
  readonly json?: "strict" | "with-comments";
  /** The grammar that parses it, where there is one. */
  readonly grammar?: GrammarName;
  /** For dialects of JavaScript: how the script parser reads it, unless the file name decides. */
  readonly script?: ScriptKind;

  /** How the nodes of its trees become blocks; for each language with a grammar. */
  readonly blocks?: BlockTable;
  /** Where statements that leave a function or a loop may stand, by type of node. */
  readonly jumps?: Readonly<Record<string, JumpRule>>;
  /** Where its trees have names that a rename follows. */
  readonly treeNames?: TreeNameRow;
  /** How its names are resolved without a type checker; absent where they are not. */
  readonly binder?: BinderSupport;
  /** What the analysis of blocks and of changes knows of it; empty for most languages. */
  readonly traits: LanguageTraits;
  /**
   * How the declarations that other files may use are found without a tree: by the words that begin
   * them, or by indentation.
   */
  readonly declarations?: DeclarationStyle | "indented";
  /** What its imports name: decides how the files of an import are found. */
  readonly imports?: "modules" | "packages" | "classes" | "paths" | "namespaces" | "includes";
  /** The shipped grammar by which holes are filled. */
  readonly fills?: FillGrammar;

  /**
   * UTF-16 code units a token: measured with o200k_base on files of public repositories, times
   * 0.85. Default: 3.
   */
  readonly charactersPerToken?: number;
  /** The language whose files use one another with those of this one. Default: its own. */
  readonly family?: string;
  /**
   * How an unfinished line may go on, where ` x` alone does not do. A line break takes the
   * indentation along.
   */
  readonly endings?: readonly string[];
  /** Whether elements with tags occur in its code. */
  readonly hasElements?: boolean;
}

/** A grammar that ships with the package. */
export interface FillGrammar {
  readonly name: string;
  /**
   * Whether it is made from tree-sitter's grammar of the language; the others are written for this
   * package.
   */
  readonly isImported: boolean;
  /**
   * How many files of real repositories the grammar accepts, of those that the reference parser
   * accepts (the language's own; for imported grammars tree-sitter's), where it was measured: by
   * `npm run bench:grammar:accept`, last in November 2026.
   */
  readonly accepted?: { readonly files: number; readonly of: number };
}

/**
 * A record as written: only the differences from a language with round, square and curly brackets
 * and quoted strings.
 */
export type LanguageRow = Pick<Language, "id" | "name"> & Partial<Omit<Language, "id" | "name">>;
