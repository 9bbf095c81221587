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

/** The kinds of JavaScript that the script parser tells apart. */
export type ScriptKind = "js" | "jsx" | "ts" | "tsx" | "dts";

/** A pair of an opening and a closing text, such as `(` and `)`, or `/*` and its end. */
export type Pair = readonly [open: string, close: string];

/** How a string literal of a language begins, ends and is left for code in between. */
export interface StringRule {
  readonly open: string;
  readonly close: string;
  /** What keeps a closing delimiter from closing: a backslash before it, doubling it, or nothing. */
  readonly escape: "backslash" | "doubled" | "none";
  /** Whether the literal may run over line ends; if not, the line's end closes it. */
  readonly multiline: boolean;
  /** The marks around code inside the literal. The opening mark ends with a bracket that the closing mark closes. */
  readonly interpolation?: readonly Pair[];
  /** The word that stands right before `open`, such as the `f` of a Python literal; any word unless told. */
  readonly after?: RegExp;
}

/** Habits of single languages that the bracket scanner knows about. */
export interface Quirks {
  /** `/` may open a regular expression literal. */
  readonly regex?: boolean;
  /** `<name` may open an element with text inside. */
  readonly jsx?: boolean;
  /** A line comment needs a blank or the start of a line before it. */
  readonly spacedComments?: boolean;
  /** A heredoc's head; its last group is the tag that ends it. */
  readonly heredoc?: RegExp;
  /** Whole literals that no delimiter pair describes, by their pattern, such as Rust's characters or C++'s raw strings. */
  readonly literals?: readonly RegExp[];
  /** Ruby's `%w[…]` family. */
  readonly percentLiterals?: boolean;
  /** C#'s literals with three or more quotes, and as many braces around code as there are dollars before them. */
  readonly quoteRuns?: boolean;
  /** `case … in pattern)`: a closing bracket without an opening one. */
  readonly casePatterns?: boolean;
  /** The text outside these marks is not code. */
  readonly island?: Pair;
  /** The text is made of tags; scripts and styles inside are code of their own. */
  readonly markup?: boolean;
}

/** What Emend knows about a language without parsing it. Plain data, one row of the table in `languages.ts`. */
export interface Language {
  /** The id that editors use, after VS Code's list. */
  readonly id: string;
  /** The name that people use. */
  readonly name: string;
  /** Endings of file names, with the dot, in lower case. The longest one that fits decides. */
  readonly extensions: readonly string[];
  /** Whole file names, in lower case. They come before extensions. */
  readonly filenames: readonly string[];
  /** What the first line of such a file looks like, asked when the name says nothing. */
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
  /** The grammar that parses it, where there is one. */
  readonly grammar?: GrammarName;
  /** For JavaScript and its kin: how the script parser reads it, unless the file's name says more. */
  readonly script?: ScriptKind;
}
