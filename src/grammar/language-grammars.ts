/** A grammar that ships with the package. */
export interface LanguageGrammar {
  readonly name: string;
  /** Ids of the languages in the registry that it reads. */
  readonly languages: readonly string[];
  /** Whether it was made from tree-sitter's grammar of that language; the others are written for this package. */
  readonly isImported: boolean;
  /** How many files of real repositories that the language's own parser takes the grammar takes too, where it was measured. */
  readonly accepted?: { readonly files: number; readonly of: number };
}

/** The grammars that ship with the package. */
export const languageGrammars: readonly LanguageGrammar[] = [
  { name: "json", languages: ["json"], isImported: false },
  { name: "javascript", languages: ["javascript", "javascriptreact"], isImported: false },
  { name: "typescript", languages: ["typescript"], isImported: false },
  { name: "tsx", languages: ["typescriptreact"], isImported: false },
  { name: "python", languages: ["python"], isImported: false },
  { name: "go", languages: ["go"], isImported: true },
  { name: "java", languages: ["java"], isImported: true },
  { name: "rust", languages: ["rust"], isImported: true },
  { name: "c", languages: ["c"], isImported: true },
  { name: "csharp", languages: ["csharp"], isImported: true },
];

/** The shipped grammar that reads a language, given by its id in the registry. */
export function grammarOfLanguage(language: string): LanguageGrammar | undefined {
  return languageGrammars.find(({ languages }) => languages.includes(language));
}
