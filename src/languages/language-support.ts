import { type LanguageTraits, languageTraits } from "../analysis/index.ts";
import { grammarOfLanguage, type LanguageGrammar } from "../grammar/index.ts";
import { hasTreeNames, nameResolution } from "../names/index.ts";
import { type Language, languages } from "../syntax/index.ts";

/** What prompts, ghost text and next edits know of a language. */
export interface EngineSupport {
  /**
   * UTF-16 code units a token: measured with o200k_base on files of public repositories, times
   * 0.85. Default: 3.
   */
  readonly charactersPerToken?: number;
  /** The language whose files use one another with those of this one. Default: its own. */
  readonly family?: string;
  /**
   * How an unfinished line may go on, where ` x` alone does not do. A line break takes the
   * indentation along.
   */
  readonly endings?: readonly string[];
  /** Whether elements with tags occur in its code. */
  readonly hasElements?: boolean;
}

/** All that is known of a language: the slice of each layer, joined. */
export interface LanguageSupport extends EngineSupport {
  readonly language: Language;
  /** What the analysis of blocks and of changes knows of it; empty for most languages. */
  readonly traits: LanguageTraits;
  /** Whether its trees have names that a rename follows. */
  readonly hasTreeNames: boolean;
  /** How its names are resolved without a type checker; absent where they are not. */
  readonly nameResolution?: "classes" | "names";
  /** The grammar by which holes are filled. */
  readonly grammar?: LanguageGrammar;
}

const endings = {
  typescript: [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " x: x", " => x", "() {}", " x() {}", " = x"],
  javascript: [" x", ' "x"', ' from "x"', " {}", " x {}", ": x", " => x", "() {}", " x() {}", " = x"],
  element: " />",
  c: [" x", ";", " x;", " {}", " x = x;"],
  json: [" 0", ": 0", " {}", '"x": 0'],
};

/** What the engines know of each language, by its id in the registry. */
const engineSupport: Readonly<Record<string, EngineSupport>> = {
  typescript: { charactersPerToken: 3.4, endings: endings.typescript },
  typescriptreact: {
    charactersPerToken: 3.5,
    family: "typescript",
    hasElements: true,
    endings: [...endings.typescript, endings.element],
  },
  javascript: { charactersPerToken: 3.1, family: "typescript", hasElements: true, endings: endings.javascript },
  javascriptreact: {
    charactersPerToken: 3.5,
    family: "typescript",
    hasElements: true,
    endings: [...endings.javascript, endings.element],
  },
  vue: { charactersPerToken: 2.9 },
  svelte: { charactersPerToken: 3.2 },
  python: {
    charactersPerToken: 3.6,
    endings: [" x", "\n    pass", ": pass", "\n    pass\nexcept x:\n    pass", " x: pass"],
  },
  go: { charactersPerToken: 3.2, endings: [" x", " {}", " x {}", " x }"] },
  rust: { charactersPerToken: 3.4, endings: [" x", ";", " {}", " x;", " x {}"] },
  java: { charactersPerToken: 3.7, endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"] },
  c: { charactersPerToken: 3.1, endings: endings.c },
  cpp: { charactersPerToken: 2.8, family: "c", endings: endings.c },
  csharp: { charactersPerToken: 4.5, endings: [" x", ";", " x;", " {}", " x() {}", " x = x;"] },
  ruby: { charactersPerToken: 3.2, endings: [" x", "\nend", " x\nend", "\nend\nend", "\nwhen x\nend"] },
  php: { charactersPerToken: 3.9, endings: [" x", ";", " x;", "x;", " $x;", " {}", "x() {}"] },
  shellscript: {
    charactersPerToken: 2.9,
    endings: [
      " x",
      "\nfi",
      "\ndone",
      "\nesac",
      "; then\n  x\nfi",
      "; do\n  x\ndone",
      "\n  x\nfi",
      "\n  x\ndone",
      "\n  x) x ;;\nesac",
    ],
  },
  html: { charactersPerToken: 3, hasElements: true, endings: [] },
  css: { charactersPerToken: 2.6, endings: [" x", ";", " x;", ": x;", " {}", "x {}"] },
  scss: { charactersPerToken: 2.6 },
  markdown: { charactersPerToken: 3.2 },
  json: { charactersPerToken: 3, endings: endings.json },
  jsonc: { charactersPerToken: 3, endings: endings.json },
  yaml: { charactersPerToken: 3.3 },
  toml: { charactersPerToken: 2.9 },
  sql: { charactersPerToken: 3.3 },
};

/** The records of all languages of the registry, in its order. */
export const supportedLanguages: readonly LanguageSupport[] = languages.map((language) => {
  const { id } = language;
  const names = nameResolution(id);
  const grammar = grammarOfLanguage(id);
  return {
    ...engineSupport[id],
    language,
    traits: languageTraits(id),
    hasTreeNames: hasTreeNames(id),
    ...(names && { nameResolution: names }),
    ...(grammar && { grammar }),
  };
});

const byId = new Map(supportedLanguages.map((support) => [support.language.id, support]));

/** The record of a language by its id in the registry; `undefined` for an unknown one. */
export function languageSupport(id: string): LanguageSupport | undefined {
  return byId.get(id);
}
