/** A grammar that ships with the package. */
export interface LanguageGrammar {
  readonly name: string;
  /** The ids in the registry of the languages that it parses. */
  readonly languages: readonly string[];
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

/** The grammars that ship with the package. */
export const languageGrammars: readonly LanguageGrammar[] = [
  { name: "json", languages: ["json"], isImported: false, accepted: { files: 5935, of: 5935 } },
  {
    name: "javascript",
    languages: ["javascript", "javascriptreact"],
    isImported: false,
    accepted: { files: 5479, of: 5479 },
  },
  { name: "typescript", languages: ["typescript"], isImported: false, accepted: { files: 5874, of: 5874 } },
  { name: "tsx", languages: ["typescriptreact"], isImported: false, accepted: { files: 6000, of: 6000 } },
  { name: "python", languages: ["python"], isImported: false, accepted: { files: 5987, of: 5989 } },
  { name: "go", languages: ["go"], isImported: true, accepted: { files: 1042, of: 1042 } },
  { name: "java", languages: ["java"], isImported: true, accepted: { files: 335, of: 335 } },
  { name: "rust", languages: ["rust"], isImported: true, accepted: { files: 1033, of: 1033 } },
  { name: "c", languages: ["c"], isImported: true, accepted: { files: 501, of: 501 } },
  { name: "csharp", languages: ["csharp"], isImported: true, accepted: { files: 1036, of: 1036 } },
];

/**
 * The shipped grammar of a language, given by its id in the registry; `undefined` where none is
 * shipped.
 */
export function grammarOfLanguage(language: string): LanguageGrammar | undefined {
  return languageGrammars.find(({ languages }) => languages.includes(language));
}
