export { type EngineSupport, type LanguageSupport, languageSupport, supportedLanguages } from "./language-support.ts";
