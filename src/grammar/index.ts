export { agreedEnd, type EndedText, type EndingGuide, endedTexts } from "./hole/ended-text.ts";
export { type DeadPlace, expectedTerminals, takesOnlyTrivia, tryFindDeadPlace } from "./hole/expected-terminals.ts";
export {
  FillSession,
  type FillSessionOptions,
  type HoleOpening,
  openHole,
  type SlicedOpening,
  type Text,
  type TextAround,
} from "./hole/fill-session.ts";
export type { Filling } from "./hole/filling.ts";
export {
  type GuidedEnd,
  type GuidedPart,
  type GuidedTextOptions,
  guidedText,
  type LikelyText,
  type Refusal,
} from "./hole/guided-text.ts";
export type { Hole } from "./hole/hole.ts";
export { HoleGuide, type HoleGuideOptions } from "./hole/hole-guide.ts";
export { LanguageGuides, type LanguageGuidesOptions, type NoGuide } from "./hole/language-guides.ts";
export { type LikeliestText, type LikeliestTextOptions, likeliestText } from "./hole/likeliest-text.ts";
export {
  type MemberAnswer,
  MemberGuide,
  type MemberSource,
  Members,
  type MembersOptions,
} from "./hole/members.ts";
export { recognise, type Verdict } from "./hole/recognise.ts";
export { longestAllowed, type TextGuide, type UnknownMember } from "./hole/text-guide.ts";
export { ContextFreeGrammar, type Word } from "./intersection/context-free-grammar.ts";
export { FiniteAutomaton, type Transition } from "./intersection/finite-automaton.ts";
export {
  type FillLanguageOptions,
  fillLanguage,
  type IntersectionOptions,
  intersect,
} from "./intersection/intersect.ts";
export type { ContextFreeProduction, ContextFreeSymbol } from "./intersection/spans.ts";
export { grammarOfLanguage, type LanguageGrammar, languageGrammars } from "./languages/language-grammars.ts";
export type { LexMatch, LexMode, LexTables } from "./lexing/lex-tables.ts";
export type { CharacterSet, Pattern } from "./lexing/pattern.ts";
export { GrammarVocabulary, type GrammarVocabularyOptions } from "./masks/grammar-vocabulary.ts";
export type { LexemeForest } from "./masks/lexeme-forest.ts";
export type { LineForest } from "./masks/line-tokens.ts";
export { TokenMasker } from "./masks/token-masker.ts";
export type { Verdicts } from "./masks/verdicts.ts";
export { type SpecialTokens, type Token, Vocabulary } from "./masks/vocabulary.ts";
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
export type { SliceOptions } from "./reading/work-slices.ts";
export { compileGrammar, type GrammarCompilation } from "./tables/compile-grammar.ts";
export type { CompiledGrammar, Layout, VirtualTerminal } from "./tables/compiled-grammar.ts";
export { type GrammarIssue, hasErrors, printGrammarIssue } from "./tables/grammar-issue.ts";
export type {
  Expression,
  GrammarSource,
  LayoutRule,
  LexicalSource,
  ModeRule,
  NextTerminal,
  Rule,
  SameRule,
  SourcePlace,
  TokenRule,
  VirtualCondition,
  VirtualRule,
} from "./tables/grammar-source.ts";
export { packGrammar, unpackGrammar } from "./tables/pack-grammar.ts";
export type { ParseTables } from "./tables/parse-tables.ts";
