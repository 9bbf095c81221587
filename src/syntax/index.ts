export type { GrammarName, Language, Pair, Quirks, ScriptKind, StringRule } from "./language.ts";
export { languageById, languageOf, plaintext, scriptKindOf } from "./language.ts";
export { languages } from "./languages.ts";
