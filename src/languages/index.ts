export type { EngineSupport, LanguageSupport } from "./language-support.ts";
export { languageSupport, supportedLanguages } from "./supported-languages.ts";
