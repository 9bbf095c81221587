/** How brackets and quotes are matched in the lists of a language. */
export interface ListRules {
  /**
   * Whether types are written with `<` and `>`, so that a comma between them doesn't separate list
   * items.
   */
  readonly angles?: boolean;
  /**
   * The quotes of literals, which end on the same line; default: `"` and `'`. Rust's lifetimes
   * begin with `'`.
   */
  readonly quotes?: string;
}

/**
 * What the analysis of blocks and of changes knows of a language beside its syntax nodes.
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
  readonly importName?: (source: string, parts: readonly { readonly name: string }[]) => string;
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

/** The traits of languages in which a type comes before the name that it is of. */
export const typeFirstTraits: LanguageTraits = {
  typeFirst: true,
  angles: true,
  namespacesName: false,
  isTyped: /^(?![\s\S]*\bvar\b)/,
};
