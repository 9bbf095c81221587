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
 * The description of a language that works without parsing. Plain data, one row of the table in
 * `languages.ts`.
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
  /** For JSON: whether comments and trailing commas are allowed. */
  readonly json?: "strict" | "with-comments";
  /** The grammar that parses it, where there is one. */
  readonly grammar?: GrammarName;
  /** For dialects of JavaScript: how the script parser reads it, unless the file name decides. */
  readonly script?: ScriptKind;
}

/**
 * A row as written: only the differences from a language with round, square and curly brackets and
 * quoted strings.
 */
type Row = Pick<Language, "id" | "name"> & Partial<Omit<Language, "id" | "name">>;

const parentheses: Pair = ["(", ")"];
const squares: Pair = ["[", "]"];
const braces: Pair = ["{", "}"];

const double: StringRule = { open: '"', close: '"', escape: "backslash", multiline: false };
const single: StringRule = { open: "'", close: "'", escape: "backslash", multiline: false };
const tripleDouble: StringRule = { open: '"""', close: '"""', escape: "backslash", multiline: true };
const tripleSingle: StringRule = { open: "'''", close: "'''", escape: "backslash", multiline: true };
const backticks: StringRule = { open: "`", close: "`", escape: "none", multiline: true };
const doubledSingle: StringRule = { open: "'", close: "'", escape: "doubled", multiline: true };
const doubledDouble: StringRule = { open: '"', close: '"', escape: "doubled", multiline: true };

const slashes = { lineComments: ["//"], blockComments: [["/*", "*/"]] } as const;
const hash = { lineComments: ["#"] } as const;
const angles = { lineComments: [], blockComments: [["<!--", "-->"]] } as const;

const template: StringRule = { ...backticks, escape: "backslash", interpolation: [["${", "}"]] };
const script = { ...slashes, strings: [double, single, template], quirks: { regex: true, jsx: true } } as const;
const cQuote: StringRule = { ...single, after: /^(u8|[uUL])?$/ };

const formatPrefix = /^([fFtT]|[rR][fFtT]|[fFtT][rR])$/;
const pythonStrings: readonly StringRule[] = [tripleDouble, tripleSingle, double, single].flatMap((rule) => [
  { ...rule, after: formatPrefix, interpolation: [["{", "}"]] },
  rule,
]);

const cssUrl = ["u", /url\(\s*[^"'\s)][^)]*(?:\)|(?<open>$))/] as const;
const quotedCharacter = ["'", /'(?:\\[^\n]{1,10}?|[^'\\\n])'/u] as const;

// biome-ignore format: one row a language.
const rows: readonly Row[] = [
  // With a grammar.
  { id: "typescript", name: "TypeScript", extensions: [".ts", ".mts", ".cts"], firstLine: /^#!.*\b(ts-node|tsx|deno|bun)\b/, ...script, quirks: { regex: true }, grammar: "typescript", script: "ts" },
  { id: "typescriptreact", name: "TypeScript JSX", extensions: [".tsx"], ...script, grammar: "tsx", script: "tsx" },
  { id: "javascript", name: "JavaScript", extensions: [".js", ".mjs", ".cjs", ".es6"], firstLine: /^#!.*\bnode\b/, ...script, grammar: "javascript", script: "jsx" },
  { id: "javascriptreact", name: "JavaScript JSX", extensions: [".jsx"], ...script, grammar: "javascript", script: "jsx" },
  { id: "python", name: "Python", extensions: [".py", ".pyi", ".pyw"], filenames: ["sconstruct", "sconscript"], firstLine: /^#!.*\b(python|uv)[\d.]*\b/, ...hash, strings: pythonStrings, indentationSensitive: true, checksLayout: true, grammar: "python" },
  { id: "go", name: "Go", extensions: [".go"], ...slashes, strings: [double, single, backticks], grammar: "go" },
  { id: "rust", name: "Rust", extensions: [".rs"], ...slashes, nestedComments: true, strings: [{ ...double, multiline: true }], quirks: { literals: [quotedCharacter, ["rbc", /(?:br|cr|r)(#*)"[\s\S]*?(?:"\1|(?<open>$))/]] }, grammar: "rust" },
  { id: "java", name: "Java", extensions: [".java"], ...slashes, strings: [tripleDouble, double, single], grammar: "java" },
  { id: "c", name: "C", extensions: [".c", ".h"], ...slashes, strings: [double, cQuote], grammar: "c" },
  { id: "cpp", name: "C++", extensions: [".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl"], ...slashes, strings: [double, cQuote], quirks: { literals: [["uULR", /(?:u8|[uUL])?R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?<open>$))/]] }, grammar: "cpp" },
  { id: "csharp", name: "C#", extensions: [".cs", ".csx", ".cake"], ...slashes, strings: [{ ...doubledDouble, open: '$@"', interpolation: [["{", "}"]] }, { ...doubledDouble, open: '@$"', interpolation: [["{", "}"]] }, { ...doubledDouble, open: '@"' }, { ...double, open: '$"', interpolation: [["{", "}"]] }, double, single], quirks: { quoteRuns: true }, grammar: "c_sharp" },
  { id: "ruby", name: "Ruby", extensions: [".rb", ".rake", ".gemspec", ".ru", ".erb.rb"], filenames: ["gemfile", "rakefile", "guardfile", "podfile", "fastfile", "vagrantfile", "brewfile"], firstLine: /^#!.*\bruby\b/, ...hash, blockComments: [["\n=begin", "\n=end"]], strings: [{ ...double, multiline: true, interpolation: [["#{", "}"]] }, { ...single, multiline: true }, { ...template, interpolation: [["#{", "}"]] }], quirks: { regex: true, percentLiterals: true, heredoc: /<<[-~]?(["'`]?)([A-Z_]\w*)\1/, literals: [["?", /(?<![\w)\]])\?["'`(){}[\]/#](?!["'\w])/]] }, grammar: "ruby" },
  { id: "php", name: "PHP", extensions: [".php", ".phtml", ".php8"], firstLine: /^<\?php|^#!.*\bphp\b/, lineComments: ["//", "#"], blockComments: slashes.blockComments, strings: [{ ...double, multiline: true, interpolation: [["{$", "}"], ["${", "}"]] }, { ...single, multiline: true }, { ...backticks, escape: "backslash" }], quirks: { heredoc: /<<<[ \t]*(["']?)([A-Za-z_]\w*)\1/, island: ["<?", "?>"] }, grammar: "php" },
  { id: "json", name: "JSON", extensions: [".json", ".webmanifest", ".geojson", ".har", ".ipynb", ".map"], filenames: [".prettierrc", "composer.lock"], ...slashes, strings: [double], grammar: "json", json: "strict" },
  { id: "jsonc", name: "JSON with comments", extensions: [".jsonc", ".code-workspace", ".code-snippets"], filenames: ["tsconfig.json", "jsconfig.json", ".eslintrc", ".eslintrc.json", ".babelrc", ".swcrc", "settings.json", "launch.json", "tasks.json", "keybindings.json", "devcontainer.json"], ...slashes, strings: [double], grammar: "json", json: "with-comments" },
  { id: "shellscript", name: "Shell", extensions: [".sh", ".bash", ".zsh", ".ksh", ".bats"], filenames: [".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".zshrc", ".zshenv", ".zprofile"], firstLine: /^#!.*\b(ba|z|k|da|a)?sh\b/, ...hash, strings: [{ ...double, multiline: true, interpolation: [["$(", ")"]] }, { ...single, open: "$'", multiline: true }, { ...single, escape: "none", multiline: true }], quirks: { spacedComments: true, shell: true, heredoc: /<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/, literals: [["\\", /\\[^\n]/]] }, grammar: "bash" },
  { id: "html", name: "HTML", extensions: [".html", ".htm", ".xhtml", ".shtml"], firstLine: /^\s*<!doctype html/i, ...angles, strings: [], brackets: [["<", ">"]], quirks: { markup: true }, grammar: "html" },
  { id: "css", name: "CSS", extensions: [".css"], blockComments: slashes.blockComments, strings: [double, single], quirks: { literals: [cssUrl] }, grammar: "css" },

  // Without a grammar: comments, strings and brackets only.
  { id: "scss", name: "SCSS", extensions: [".scss"], ...slashes, quirks: { literals: [cssUrl] } },
  { id: "less", name: "Less", extensions: [".less"], ...slashes, quirks: { literals: [cssUrl] } },
  { id: "vue", name: "Vue", extensions: [".vue"], ...angles, strings: [], brackets: [["<", ">"]], quirks: { markup: true, hyphenatedNames: true }, isComponent: true },
  { id: "svelte", name: "Svelte", extensions: [".svelte"], ...angles, strings: [], brackets: [["<", ">"]], quirks: { markup: true, stores: true }, isComponent: true },
  { id: "xml", name: "XML", extensions: [".xml", ".xsd", ".xsl", ".svg", ".csproj", ".props", ".targets", ".plist"], filenames: ["pom.xml"], firstLine: /^<\?xml/, ...angles, strings: [], brackets: [["<", ">"]], quirks: { markup: true, closedElements: true } },
  { id: "markdown", name: "Markdown", extensions: [".md", ".markdown", ".mdx"], ...angles, strings: [], quirks: { fences: true }, isProse: true },
  { id: "yaml", name: "YAML", extensions: [".yaml", ".yml"], filenames: [".clang-format"], firstLine: /^%YAML|^---\s*$/, ...hash, strings: [double, { ...doubledSingle, after: /^$/ }], indentationSensitive: true, quirks: { spacedComments: true, emptyValues: true } },
  { id: "toml", name: "TOML", extensions: [".toml"], filenames: ["cargo.lock", "poetry.lock", "uv.lock"], ...hash, strings: [tripleDouble, { ...tripleSingle, escape: "none" }, double, { ...single, escape: "none" }] },
  { id: "ini", name: "INI", extensions: [".ini", ".cfg", ".conf", ".editorconfig"], filenames: [".npmrc", ".gitconfig"], lineComments: ["#", ";"], strings: [], quirks: { spacedComments: true } },
  { id: "sql", name: "SQL", extensions: [".sql"], lineComments: ["--"], blockComments: slashes.blockComments, strings: [doubledSingle, doubledDouble] },
  { id: "kotlin", name: "Kotlin", extensions: [".kt", ".kts"], ...slashes, nestedComments: true, strings: [{ ...tripleDouble, escape: "none", interpolation: [["${", "}"]] }, { ...double, interpolation: [["${", "}"]] }, single] },
  { id: "swift", name: "Swift", extensions: [".swift"], ...slashes, nestedComments: true, strings: [{ ...tripleDouble, interpolation: [["\\(", ")"]] }, { ...double, interpolation: [["\\(", ")"]] }], quirks: { literals: [["#", /(#+)"[\s\S]*?(?:"\1|(?<open>$))/]] } },
  { id: "scala", name: "Scala", extensions: [".scala", ".sc", ".sbt"], ...slashes, nestedComments: true, strings: [{ ...tripleDouble, escape: "none" }, double], quirks: { literals: [quotedCharacter] } },
  { id: "dart", name: "Dart", extensions: [".dart"], ...slashes, nestedComments: true, strings: [{ ...tripleDouble, interpolation: [["${", "}"]] }, { ...tripleSingle, interpolation: [["${", "}"]] }, { ...double, interpolation: [["${", "}"]] }, { ...single, interpolation: [["${", "}"]] }] },
  { id: "objective-c", name: "Objective-C", extensions: [".m"], ...slashes },
  { id: "zig", name: "Zig", extensions: [".zig", ".zon"], lineComments: ["//"], quirks: { literals: [["\\", /\\\\[^\n]*/]] } },
  { id: "lua", name: "Lua", extensions: [".lua"], firstLine: /^#!.*\blua\b/, lineComments: ["--"], blockComments: [["--[[", "]]"]], strings: [double, single, { open: "[[", close: "]]", escape: "none", multiline: true }] },
  { id: "perl", name: "Perl", extensions: [".pl", ".pm"], firstLine: /^#!.*\bperl\b/, ...hash, strings: [{ ...double, multiline: true }, { ...single, multiline: true }], quirks: { spacedComments: true, regex: true, heredoc: /<<~?(["']?)([A-Z_]\w*)\1/ } },
  { id: "r", name: "R", extensions: [".r"], firstLine: /^#!.*\brscript\b/i, ...hash, strings: [{ ...double, multiline: true }, { ...single, multiline: true }] },
  { id: "julia", name: "Julia", extensions: [".jl"], ...hash, blockComments: [["#=", "=#"]], nestedComments: true, strings: [tripleDouble, double], quirks: { literals: [quotedCharacter] } },
  { id: "elixir", name: "Elixir", extensions: [".ex", ".exs"], ...hash, strings: [tripleDouble, { ...double, multiline: true, interpolation: [["#{", "}"]] }, single] },
  { id: "haskell", name: "Haskell", extensions: [".hs"], lineComments: ["--"], blockComments: [["{-", "-}"]], nestedComments: true, strings: [double], indentationSensitive: true, quirks: { literals: [quotedCharacter] } },
  { id: "ocaml", name: "OCaml", extensions: [".ml", ".mli"], blockComments: [["(*", "*)"]], nestedComments: true, strings: [{ ...double, multiline: true }], quirks: { literals: [quotedCharacter] } },
  { id: "clojure", name: "Clojure", extensions: [".clj", ".cljs", ".cljc", ".edn"], lineComments: [";"], strings: [{ ...double, multiline: true }], quirks: { literals: [["\\", /\\./u]] } },
  { id: "graphql", name: "GraphQL", extensions: [".graphql", ".gql"], ...hash, strings: [tripleDouble, double] },
  { id: "proto3", name: "Protocol Buffers", extensions: [".proto"], ...slashes },
  { id: "terraform", name: "Terraform", extensions: [".tf", ".tfvars", ".hcl"], lineComments: ["#", "//"], blockComments: slashes.blockComments, strings: [{ ...double, interpolation: [["${", "}"]] }] },
  { id: "groovy", name: "Groovy", extensions: [".groovy", ".gradle"], filenames: ["jenkinsfile"], ...slashes, strings: [tripleDouble, tripleSingle, double, single] },
  { id: "powershell", name: "PowerShell", extensions: [".ps1", ".psm1", ".psd1"], ...hash, blockComments: [["<#", "#>"]], strings: [{ ...double, escape: "doubled", multiline: true }, doubledSingle] },
  { id: "dockerfile", name: "Dockerfile", extensions: [".dockerfile"], filenames: ["dockerfile", "containerfile"], ...hash, strings: [double], quirks: { spacedComments: true } },
  { id: "makefile", name: "Makefile", extensions: [".mk", ".mak"], filenames: ["makefile", "gnumakefile"], firstLine: /^#!.*\bmake\b/, ...hash, strings: [double], quirks: { spacedComments: true } },
  { id: "cmake", name: "CMake", extensions: [".cmake"], filenames: ["cmakelists.txt"], ...hash, strings: [{ ...double, multiline: true }] },
  { id: "plaintext", name: "Plain text", extensions: [".txt", ".text", ".log"], strings: [], brackets: [], isProse: true },
];

/**
 * All known languages. To add one, add a row.
 *
 * Ids follow VS Code's list of known language identifiers
 * (https://code.visualstudio.com/docs/languages/identifiers). Where two rows have one extension,
 * the later one wins.
 */
export const languages: readonly Language[] = rows.map((row) => ({
  extensions: [],
  filenames: [],
  lineComments: [],
  blockComments: [],
  nestedComments: false,
  strings: [double, single],
  brackets: [parentheses, squares, braces],
  indentationSensitive: false,
  quirks: {},
  isProse: false,
  isComponent: false,
  checksLayout: false,
  ...row,
}));

const byId = new Map<string, Language>();
const byFilename = new Map<string, Language>();
const byExtension = new Map<string, Language>();
for (const language of languages) {
  byId.set(language.id, language);
  for (const filename of language.filenames) byFilename.set(filename, language);
  for (const extension of language.extensions) byExtension.set(extension, language);
}

/** The language of a text that no other language matches. */
export const plaintext: Language = byId.get("plaintext")!;

/**
 * The language with this id of VS Code's list, such as `typescriptreact`; `undefined` for an
 * unknown one. Case matters.
 */
export function languageById(id: string): Language | undefined {
  return byId.get(id);
}

/** Whether the files of a language are scripts, or components with scripts in their tags. */
export function hasScripts(id: string): boolean {
  const language = byId.get(id);
  return language !== undefined && (language.script !== undefined || language.isComponent);
}

/**
 * The language of the file at `path`: by its whole name, then by its longest known extension, then
 * by `firstLine`, the first line of its text. Case does not matter in names.
 *
 * `path` may be a path of any system or a URI. Returns {@link plaintext} when nothing matches. `.h`
 * is C, since C++ has extensions of its own for headers.
 */
export function languageOf(path: string, firstLine = ""): Language {
  const name = fileName(path);
  const named = byFilename.get(name);
  if (named !== undefined) return named;
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    const language = byExtension.get(name.slice(dot));
    if (language !== undefined) return language;
  }
  if (firstLine === "") return plaintext;
  return languages.find((language) => language.firstLine?.test(firstLine)) ?? plaintext;
}

/**
 * The dialect in which the script parser reads the file at `path`; `undefined` where `language` is
 * no dialect of JavaScript.
 *
 * A declaration file of TypeScript is recognized by its name only: `.d.ts`, `.d.mts`, `.d.cts` and
 * `.d.css.ts` and similar. Any other name has the dialect of `language`.
 */
export function scriptKindOf(language: Language, path: string): ScriptKind | undefined {
  if (language.script === "ts" && /\.d(\.[^.]+)?\.ts$|\.d\.[mc]ts$/.test(fileName(path))) return "dts";
  return language.script;
}

function fileName(path: string): string {
  const plain = /^[a-z][a-z0-9+.-]+:/i.test(path) ? path.split(/[?#]/, 1)[0]! : path;
  return plain.slice(Math.max(plain.lastIndexOf("/"), plain.lastIndexOf("\\")) + 1).toLowerCase();
}
