export {
  type CheckAnswer,
  type CheckedPlace,
  type CheckedText,
  type CheckedToken,
  checkCompletions,
} from "./check-completion.ts";
export { errorsWith, type InsertionPlace } from "./errors-with.ts";
export type { GhostTextOutcome, SilenceReason, Suggestion, SuggestionChange, TraceStep } from "./outcome.ts";
export type { GhostTextRequest } from "./request.ts";
