export { compileGrammar, type GrammarCompilation } from "./compile-grammar.ts";
export type { CompiledGrammar, Layout, VirtualTerminal } from "./compiled-grammar.ts";
export { ContextFreeGrammar, type Word } from "./context-free-grammar.ts";
export type { ContextFreeProduction, ContextFreeSymbol } from "./context-free-production.ts";
export { agreedEnd, type EndedText, type EndingGuide, endedTexts } from "./ended-text.ts";
export { expectedTerminals } from "./expected-terminals.ts";
export {
  FillSession,
  type FillSessionOptions,
  type HoleOpening,
  openHole,
  type Text,
  type TextAround,
} from "./fill-session.ts";
export type { Filling } from "./filling.ts";
export { type DeadPlace, tryFindDeadPlace } from "./find-dead-place.ts";
export { FiniteAutomaton, type Transition } from "./finite-automaton.ts";
export { type GrammarIssue, hasErrors, printGrammarIssue } from "./grammar-issue.ts";
export type {
  Expression,
  GrammarSource,
  LayoutRule,
  LexicalSource,
  ModeRule,
  NextTerminal,
  Rule,
  TokenRule,
  VirtualCondition,
  VirtualRule,
} from "./grammar-source.ts";
export { GrammarVocabulary, type GrammarVocabularyOptions } from "./grammar-vocabulary.ts";
export {
  type GuidedEnd,
  type GuidedPart,
  type GuidedTextOptions,
  guidedText,
  type LikelyText,
  type Refusal,
} from "./guided-text.ts";
export type { Hole } from "./hole.ts";
export { HoleGuide, type HoleGuideOptions } from "./hole-guide.ts";
export { type FillLanguageOptions, fillLanguage, type IntersectionOptions, intersect } from "./intersect.ts";
export { grammarOfLanguage, type LanguageGrammar, languageGrammars } from "./language-grammars.ts";
export { LanguageGuides, type LanguageGuidesOptions } from "./language-guides.ts";
export type { LexMatch, LexMode, LexTables } from "./lex-tables.ts";
export { longestAllowed } from "./longest-allowed.ts";
export { MemberGuide } from "./member-guide.ts";
export { type MemberAnswer, type MemberSource, Members, type MembersOptions, type UnknownMember } from "./members.ts";
export type { WrittenGrammar } from "./notations/approximations.ts";
export { parseEbnf } from "./notations/ebnf.ts";
export { type ParsedGrammar, type ParseGrammarOptions, parseGrammar } from "./notations/emend-notation.ts";
export { parseGbnf } from "./notations/gbnf.ts";
export { parseLark } from "./notations/lark.ts";
export { type GrammarNotation, notationOf, type ReadGrammarOptions, readGrammar } from "./notations/read-grammar.ts";
export { importTreeSitter } from "./notations/tree-sitter.ts";
export { writeEbnf } from "./notations/write-ebnf.ts";
export { writeGbnf } from "./notations/write-gbnf.ts";
export { writeGrammar } from "./notations/write-grammar.ts";
export { writeLark } from "./notations/write-lark.ts";
export { packGrammar } from "./pack-grammar.ts";
export type { ParseTables } from "./parse-tables.ts";
export type { CharacterSet, Pattern } from "./pattern.ts";
export { recognise, type Verdict } from "./recognise.ts";
export type { TextGuide } from "./text-guide.ts";
export { TokenMasker } from "./token-masker.ts";
export { unpackGrammar } from "./unpack-grammar.ts";
export { type SpecialTokens, type Token, Vocabulary } from "./vocabulary.ts";
