export type { Completion, CompletionSearch } from "./hole/completion-search.ts";
export { agreedEnd, type EndedText, type EndingGuide, endedTexts } from "./hole/ended-text.ts";
export type { EndingSearchOptions } from "./hole/ending-search.ts";
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
export type { Filling, HoleQuestions } from "./hole/filling.ts";
export type { GrammarIndex, ReachableModes } from "./hole/grammar-index.ts";
export {
  type GuidedEnd,
  type GuidedPart,
  type GuidedTextOptions,
  guidedText,
  type LikelyText,
  type Refusal,
  type RefusedCandidate,
  RefusedCandidates,
} from "./hole/guided-text.ts";
export type { Hole } from "./hole/hole.ts";
export type { Crossing, Entry, HoleBoundary, HoleExit } from "./hole/hole-boundary.ts";
export { HoleGuide, type HoleGuideOptions } from "./hole/hole-guide.ts";
export { LanguageGuides, type LanguageGuidesOptions, type NoGuide } from "./hole/language-guides.ts";
export type { LayoutClasses } from "./hole/layout-classes.ts";
export {
  type LikeliestText,
  type LikeliestTextOptions,
  likeliestText,
  type SearchLimit,
} from "./hole/likeliest-text.ts";
export {
  type MemberAnswer,
  MemberGuide,
  type MemberSource,
  Members,
  type MembersOptions,
} from "./hole/members.ts";
export { recognise, type Verdict } from "./hole/recognise.ts";
export type { AnalysedSuffix, SuffixAnalysis, SuffixDigest } from "./hole/suffix-analysis.ts";
export type { Control, ControlStep, ControlStore } from "./hole/suffix-control.ts";
export type { OpenLexeme, SuffixLexer } from "./hole/suffix-lexer.ts";
export type { Exit, HoleExits, SuffixRun } from "./hole/suffix-run.ts";
export { longestAllowed, type TextGuide, type UnknownMember } from "./hole/text-guide.ts";
export type { TokenContinuation } from "./hole/token-continuation.ts";
export { grammarOfLanguage, type LanguageGrammar, languageGrammars } from "./languages/language-grammars.ts";
export type { Indentation, IndentationOrder, Layouts } from "./lexing/layouts.ts";
export type {
  Endings,
  LexemeEndings,
  LexReach,
  PreferredBytes,
  ReachableMatch,
  ReachTree,
} from "./lexing/lex-reach.ts";
export type { LexMatch, LexMode, LexTables } from "./lexing/lex-tables.ts";
export type { CharacterSet, Pattern } from "./lexing/pattern.ts";
export { GrammarVocabulary, type GrammarVocabularyOptions } from "./masks/grammar-vocabulary.ts";
export type {
  LexemeEdge,
  LexemeForest,
  LexemeTree,
  OpenGroup,
  OpenTokens,
  RestList,
  TokenRests,
} from "./masks/lexeme-forest.ts";
export type { LineBeginning, LineForest, LineTokens } from "./masks/line-tokens.ts";
export { TokenMasker } from "./masks/token-masker.ts";
export type { TokenSet, TokenSets } from "./masks/token-set.ts";
export type { TokenTrie } from "./masks/token-vocabulary.ts";
export { type SpecialTokens, type Token, Vocabulary } from "./masks/token-vocabulary.ts";
export type { KnownState } from "./masks/unknown-below.ts";
export type { TokenVerdict, Undecided, VerdictStep, Verdicts } from "./masks/verdicts.ts";
export type { WrittenGrammar } from "./notations/approximations.ts";
export { type ParsedGrammar, type ParseGrammarOptions, parseGrammar } from "./notations/emend-notation.ts";
export { type GrammarNotation, notationOf, type ReadGrammarOptions, readGrammar } from "./notations/read-grammar.ts";
export { writeEbnf } from "./notations/write-ebnf.ts";
export { writeGbnf } from "./notations/write-gbnf.ts";
export { writeGrammar } from "./notations/write-grammar.ts";
export { writeLark } from "./notations/write-lark.ts";
export type { AwaitedName, NamesFollower, OpenNames } from "./reading/open-names.ts";
export type { Parser } from "./reading/parser.ts";
export type { Lexeme, ModeFront, Reader, ReadFailure, Reading, ReadResult } from "./reading/reader.ts";
export type { Spacing, VirtualTerminals } from "./reading/spacing.ts";
export type { Front, StackNode, StackStore } from "./reading/stack.ts";
export type { SliceOptions, WorkSlices } from "./reading/work-slices.ts";
export { compileGrammar, type GrammarCompilation } from "./tables/compile-grammar.ts";
export type { CompiledGrammar, Layout, ParseTables, VirtualTerminal } from "./tables/compiled-grammar.ts";
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
export type { CostsByFirst, FirstClasses, YieldCosts } from "./tables/yield-costs.ts";
