import type { ListRules } from "./comma-list.ts";

/**
 * What distinguishes the blocks of a language where the syntax nodes don't. Plain data, one row a
 * language.
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
}

const curly: LanguageTraits = { typeFirst: true, angles: true, namespacesName: false, isTyped: /^(?![\s\S]*\bvar\b)/ };

const rows: Readonly<Record<string, LanguageTraits>> = {
  python: {
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
    testMark: /@(Test|ParameterizedTest|RepeatedTest|TestFactory)\b/,
  },
  c: { ...curly, isFileLocal: /\bstatic\b/ },
  cpp: { ...curly, isFileLocal: /\bstatic\b/ },
  go: { testFile: /_test\.go$/, testName: /^(Test|Benchmark|Example|Fuzz)/ },
  rust: {
    angles: true,
    quotes: '"',
    namespacesName: true,
    isTyped: /:/,
    testMark: /#\[\s*([\w:]+::)?(test|rstest|bench)\b/,
  },
  php: { namespacesName: false, isPrivate: /\bprivate\b/, testFile: /Test\.php$/, testName: /^test/ },
  ruby: { namespacesName: true, testFile: /(^|\/)test_[^/]*\.rb$|_test\.rb$/, testName: /^test_/ },
};

/**
 * The traits of a language, by its id in the registry; an empty record for a language without any.
 */
export function languageTraits(languageId: string): LanguageTraits {
  return rows[languageId] ?? {};
}
