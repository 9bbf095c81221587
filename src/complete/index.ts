export type { AccessVerdict } from "./access.ts";
export {
  type CheckAnswer,
  type CheckedPlace,
  type CheckedText,
  type CheckedToken,
  checkCompletions,
} from "./check-completion.ts";
export { type DebounceCurve, debounceMs } from "./debounce.ts";
export { errorsWith, type InsertionErrors, type InsertionPlace } from "./errors-with.ts";
export { explainOutcome } from "./explain-outcome.ts";
export { GhostTextEngine } from "./ghost-text-engine.ts";
export type { GhostTextParts } from "./ghost-text-parts.ts";
export type { GrammarGuide, GuideSource, MembersOf } from "./guide-source.ts";
export type { Observations } from "./offer-log.ts";
export type {
  GhostTextOutcome,
  RefusedText,
  SilenceReason,
  Suggestion,
  SuggestionChange,
  TraceStep,
} from "./outcome.ts";
export { printChange } from "./print-change.ts";
export { printSilence } from "./print-silence.ts";
export { printRefusal, tryFirstLine } from "./refused-text.ts";
export type { GhostTextRequest } from "./request.ts";
export { type LifeEnd, RequestLife } from "./request-life.ts";
export { defaultGhostTextSettings, type GhostTextSettings, type Switches } from "./settings.ts";
export { type Sleep, sleep } from "./sleep.ts";
export { trySwitchedOff } from "./switched-off.ts";
export { WelcomeModel, type WelcomeScore, type WelcomeState } from "./welcome-model.ts";
export type { RecentAnswer, WelcomeSignals } from "./welcome-signals.ts";
