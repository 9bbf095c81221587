export type { GrammarGuide, GuidePreparation, GuideSource, MembersOf } from "./answers/guide-at-place.ts";
export { printRefusal, tryFirstLine } from "./answers/refused-text.ts";
export { describeNoSuggestion, explainOutcome, noSuggestionTexts, printChange } from "./explain-outcome.ts";
export {
  AcceptanceModel,
  type AcceptanceModelState,
  type AcceptanceScore,
  type RecentAnswer,
  type TriggerFeatures,
} from "./feedback/acceptance-model.ts";
export type { Observations } from "./feedback/suggestion-log.ts";
export {
  type SuggestionLimits,
  type SuggestionState,
  SuggestionStore,
  suggestionIds,
} from "./feedback/suggestion-store.ts";
export {
  type CheckAnswer,
  type CheckedPlace,
  type CheckedText,
  type CheckedToken,
  checkCompletions,
} from "./fit/check-completion.ts";
export { type CursorPlace, onlyRepeats } from "./fit/only-repeats.ts";
export { type AccessVerdict, refuseDocument } from "./gate.ts";
export { GhostTextEngine } from "./ghost-text-engine.ts";
export type { GhostTextParts } from "./ghost-text-parts.ts";
export type {
  AnswerOf,
  DocumentRefusal,
  GhostTextOutcome,
  NextModel,
  NoSuggestionReason,
  RefusedText,
  Suggestion,
  SuggestionChange,
  TraceStep,
} from "./outcome.ts";
export type { GhostTextRequest } from "./request.ts";
export { type LifeEnd, RequestLife } from "./requests/request-life.ts";
export { type DebounceCurve, defaultGhostTextSettings, type GhostTextSettings, type Switches } from "./settings.ts";
export {
  describeReason,
  printCharacters,
  printTrace,
  type ReasonTexts,
  Trace,
  type TracedStep,
} from "./trace.ts";
