import { type FillGrammar, languages } from "../../languages/index.ts";
import { groupBy } from "../../text/index.ts";

/** A grammar that ships with the package. */
export interface LanguageGrammar extends FillGrammar {
  /** The ids in the registry of the languages that it parses. */
  readonly languages: readonly string[];
}

/**
 * The grammars that ship with the package: those that are written for it, then the imported ones.
 */
export const languageGrammars: readonly LanguageGrammar[] = Array.from(
  groupBy(
    languages.filter(({ fills }) => fills !== undefined),
    ({ fills }) => fills!,
  ),
  ([{ name, ...grammar }, parsed]) => ({ name, languages: parsed.map(({ id }) => id), ...grammar }),
).sort((one, other) => Number(one.isImported) - Number(other.isImported));

/**
 * The shipped grammar of a language, given by its id in the registry; `undefined` where none is
 * shipped.
 */
export function grammarOfLanguage(language: string): LanguageGrammar | undefined {
  return languageGrammars.find(({ languages }) => languages.includes(language));
}
