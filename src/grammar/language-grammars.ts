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
  { name: "json", languages: ["json"], isImported: false, accepted: { files: 134, of: 134 } },
  {
    name: "javascript",
    languages: ["javascript", "javascriptreact"],
    isImported: false,
    accepted: { files: 902, of: 902 },
  },
  { name: "typescript", languages: ["typescript"], isImported: false, accepted: { files: 1200, of: 1200 } },
  { name: "tsx", languages: ["typescriptreact"], isImported: false, accepted: { files: 1197, of: 1197 } },
  { name: "python", languages: ["python"], isImported: false, accepted: { files: 180, of: 180 } },
  { name: "go", languages: ["go"], isImported: true, accepted: { files: 99, of: 99 } },
  { name: "java", languages: ["java"], isImported: true, accepted: { files: 264, of: 264 } },
  { name: "rust", languages: ["rust"], isImported: true, accepted: { files: 173, of: 173 } },
  { name: "c", languages: ["c"], isImported: true, accepted: { files: 144, of: 144 } },
  { name: "csharp", languages: ["csharp"], isImported: true, accepted: { files: 156, of: 156 } },
];

/** The shipped grammar that reads a language, given by its id in the registry. */
export function grammarOfLanguage(language: string): LanguageGrammar | undefined {
  return languageGrammars.find(({ languages }) => languages.includes(language));
}
