import type { BlockPart } from "./code-block.ts";
import type { ListRules } from "./comma-list.ts";

/**
 * What the analysis of blocks and of changes knows of a language beside its syntax nodes. One row a
 * language; no other file of the layer distinguishes languages.
 */
export interface LanguageTraits extends ListRules {
  /** Whether the type of a parameter or variable comes before its name. */
  readonly typeFirst?: boolean;
  /**
   * Whether namespaces are part of names. In C#, a namespace with braces and a file-scoped
   * namespace are equivalent.
   */
  readonly namespacesName?: boolean;
  /** Whether a class can have a parameter list after its name, as records do. */
  readonly classParameters?: boolean;
  /** Matches the text before a member's name if only its class can refer to it. */
  readonly isPrivate?: RegExp;
  /**
   * Matches the text before the name of a top-level declaration if only its file can refer to it.
   */
  readonly isFileLocal?: RegExp;
  /** Matches the text of a variable up to its value if the type is written out. */
  readonly isTyped?: RegExp;
  /** Paths of files in which functions with the given names are tests. */
  readonly testFile?: RegExp;
  readonly testName?: RegExp;
  /** Headers of classes in which all methods with the given names are tests. */
  readonly testClass?: RegExp;
  /** Attributes and annotations that mark a function as a test. */
  readonly testMark?: RegExp;
  /** Whether assignments declare variables: `a, b = f()` and `a = b = 1`. */
  readonly declaresByAssignment?: boolean;
  /** Whether a method declares fields by assignments to members of its first parameter. */
  readonly fieldsInMethods?: boolean;
  /**
   * The word before the name of a method that is an accessor, by the text before its name;
   * `undefined` for any other method.
   */
  readonly accessor?: (before: string) => "get" | "set" | "delete" | undefined;
  /** Matches a method that is declared outside of its type; group 1 is the type. */
  readonly receiver?: RegExp;
  /** The name of an import, by its text and parts. Default: the name in the tree, or its text. */
  readonly importName?: (source: string, parts: readonly BlockPart[]) => string;
  /** Matches each import of a statement, with the flag `g`; group 1 is the path. */
  readonly importPath?: RegExp;
  /** Matches an import up to the list of the names that it takes. */
  readonly importList?: RegExp;
  /** Whether quotes of either kind mean the same. */
  readonly equalQuotes?: boolean;
  /** Whether a comma in parentheses makes a tuple: `(a,)` is not `(a)`. */
  readonly tuples?: boolean;
  /** Whether a semicolon at the end of a line has no meaning. */
  readonly idleSemicolons?: boolean;
  /** Whether a plain assignment declares a local. */
  readonly implicitLocals?: boolean;
  /** Whether the last expression of a body is its result. */
  readonly lastIsValue?: boolean;
  /** Whether there are trees, but no blocks that other files depend on by name. */
  readonly isData?: boolean;
  /** The language server that knows its types. */
  readonly server?: "pyright";
}

const curly: LanguageTraits = { typeFirst: true, angles: true, namespacesName: false, isTyped: /^(?![\s\S]*\bvar\b)/ };

const rows: Readonly<Record<string, LanguageTraits>> = {
  python: {
    server: "pyright",
    equalQuotes: true,
    tuples: true,
    idleSemicolons: true,
    implicitLocals: true,
    declaresByAssignment: true,
    fieldsInMethods: true,
    accessor: (before) => {
      if (!/^@(\w+\.)?(property|cached_property|setter|getter|deleter)\b/m.test(before)) return undefined;
      return /\.setter\b/.test(before) ? "set" : /\.deleter\b/.test(before) ? "delete" : "get";
    },
    importName: (source, parts) => /^from\s+([.\w]+)/.exec(source)?.[1] ?? parts[0]?.name ?? source,
    importList: /^(?:from\b[\s\S]*?\b)?import\b\s*\(?/,
    isTyped: /:/,
    testFile: /(^|\/)(test_[^/]*|[^/]*_test|tests?|conftest)\.py$/,
    testName: /^test/,
    testClass: /^class\s+Test|\bTestCase\b/m,
  },
  csharp: {
    ...curly,
    classParameters: true,
    // A class member without a modifier is private.
    isFileLocal: /\bfile\b/,
    isPrivate: /\bprivate\b|^(?![\s\S]*\b(public|protected|internal)\b)/,
    testMark: /\[\s*(Fact|Theory|Test|TestCase\w*|TestMethod|DataTestMethod|Benchmark)\b/,
  },
  java: {
    ...curly,
    namespacesName: false,
    classParameters: true,
    isPrivate: /\bprivate\b/,
    importName: (source) => source.replace(/^import\s+(static\s+)?|(?<!\s)\s*;$/g, ""),
    testMark: /@(Test|ParameterizedTest|RepeatedTest|TestFactory)\b/,
  },
  c: { ...curly, isFileLocal: /\bstatic\b/ },
  cpp: { ...curly, isFileLocal: /\bstatic\b/ },
  go: {
    receiver: /^func\s*\(\s*(?:\w+\s+)?(?:\*\s*)?(\w+)/,
    importName: (_, parts) => (parts.length === 1 ? parts[0]!.name : "()"),
    importPath: /(?:(?<![\w.])[\w.]+[^\S\n]+)?"([^"\n]+)"/g,
    testFile: /_test\.go$/,
    testName: /^(Test|Benchmark|Example|Fuzz)/,
  },
  rust: {
    tuples: true,
    lastIsValue: true,
    importList: /^(?:pub\S*\s+)?use\s[\s\S]*?\{/,
    angles: true,
    quotes: '"',
    namespacesName: true,
    isTyped: /:/,
    testMark: /#\[\s*([\w:]+::)?(test|rstest|bench)\b/,
  },
  php: {
    implicitLocals: true,
    namespacesName: false,
    isPrivate: /\bprivate\b/,
    testFile: /Test\.php$/,
    testName: /^test/,
  },
  ruby: { namespacesName: true, testFile: /(^|\/)test_[^/]*\.rb$|_test\.rb$/, testName: /^test_/ },
  json: { isData: true },
  jsonc: { isData: true },
  html: { isData: true },
  css: { isData: true },
};

/**
 * The traits of a language, by its id in the registry; an empty record for a language without any.
 */
export function languageTraits(languageId: string): LanguageTraits {
  return rows[languageId] ?? {};
}
