import { type Language, languageById, plaintext } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import type { LexRules } from "./lexer.ts";

const known = new Map<string, LexRules>();

/**
 * How to split text of the language with this id, taken from the registry; plain text when it is
 * unknown. Cached by id.
 */
export function lexRulesOf(id: string): LexRules {
  return getOrInsert(known, id, () => fromLanguage(languageById(id) ?? plaintext));
}

function fromLanguage(language: Language): LexRules {
  const quotes = new Set<string>();
  const longQuotes: string[] = [];
  let templates = false;
  for (const { open, close, interpolation } of language.strings) {
    if (open === "`" && interpolation !== undefined) templates = true;
    else if (open === close && (open.length > 1 || open === "`")) longQuotes.push(open);
    // A quote that may run over lines is closed by the line's end all the same: a stray one then
    // costs one line only. A literal with a prefix or with brackets around it is read as code, and
    // its words are learnt as such.
    else if (open === close) quotes.add(open);
  }
  return {
    lineComments: language.lineComments,
    blockComments: language.blockComments,
    quotes: [...quotes].join(""),
    longQuotes: longQuotes.sort((a, b) => b.length - a.length),
    templates,
  };
}
