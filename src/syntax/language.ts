import { languages } from "./languages.ts";

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

const byId = new Map<string, Language>();
const byFilename = new Map<string, Language>();
const byExtension = new Map<string, Language>();
for (const language of languages) {
  byId.set(language.id, language);
  for (const filename of language.filenames) byFilename.set(filename, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
}

/** The language of text that nothing else claims. */
export const plaintext: Language = byId.get("plaintext")!;

/** The language with this id, or `undefined`. */
export function languageById(id: string): Language | undefined {
  return byId.get(id);
}

/**
 * The language of the file at `path`: by its whole name, then by its longest known extension, then by its first line.
 *
 * `path` may be a path of any system or an address. Answers {@link plaintext} when nothing fits.
 * `.h` is taken for C, since C++ headers that care have endings of their own.
 */
export function languageOf(path: string, firstLine = ""): Language {
  const name = fileName(path);
  const named = byFilename.get(name);
  if (named !== undefined) return named;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const language = byExtension.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  return languages.find((language) => language.firstLine?.test(firstLine)) ?? plaintext;
}

/**
 * How the script parser should read the file at `path` in `language`, or `undefined` for other languages.
 *
 * A declaration file is told by its name only: `.d.ts`, `.d.mts`, `.d.cts` and `.d.css.ts` and the like.
 */
export function scriptKindOf(language: Language, path: string): ScriptKind | undefined {
  if (language.script === "ts" && /\.d(\.[^.]+)?\.ts$|\.d\.[mc]ts$/.test(fileName(path))) return "dts";
  return language.script;
}

function fileName(path: string): string {
  const plain = /^[a-z][a-z0-9+.-]+:/i.test(path) ? path.replace(/[?#].*$/, "") : path;
  return plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1).toLowerCase();
}
