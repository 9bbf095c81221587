/**
 * What a language's habits say about its blocks where their nodes alone do not. Plain data, one row
 * a language.
 */
export interface LanguageTraits {
  /** Whether a parameter's or variable's type is in front of its name. */
  readonly typeFirst?: boolean;
  /** Whether types are written with `<` and `>`, so that a comma between them divides nothing. */
  readonly angles?: boolean;
  /**
   * Whether namespaces are part of names; in C# one may stand around a file's code or above it,
   * which says the same.
   */
  readonly namespacesName?: boolean;
  /** Whether a class may list parameters behind its name, as records do. */
  readonly classParameters?: boolean;
  /** Tells a member that only its class can name, by the text in front of its name. */
  readonly isPrivate?: RegExp;
  /** Tells a declaration outside of classes that only its file can name, in the same way. */
  readonly isFileLocal?: RegExp;
  /** Tells that the type of a variable is written out, by the text up to its value. */
  readonly isTyped?: RegExp;
  /** Files whose functions of these names are tests. */
  readonly testFile?: RegExp;
  readonly testName?: RegExp;
  /** Classes all of whose methods with such names are tests, by their header. */
  readonly testClass?: RegExp;
  /** Functions that are tests, by the attributes and annotations in front of them. */
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
    // Without a word about it a member of a class is private.
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
  rust: { angles: true, namespacesName: true, isTyped: /:/, testMark: /#\[\s*([\w:]+::)?(test|rstest|bench)\b/ },
  php: { namespacesName: false, isPrivate: /\bprivate\b/, testFile: /Test\.php$/, testName: /^test/ },
  ruby: { namespacesName: true, testFile: /(^|\/)test_[^/]*\.rb$|_test\.rb$/, testName: /^test_/ },
};

/** The habits of a language, by its id in the registry. */
export function languageTraits(languageId: string): LanguageTraits {
  return rows[languageId] ?? {};
}
