export type { GhostTextOutcome, SilenceReason, Suggestion, SuggestionChange, TraceStep } from "./outcome.ts";
export type { GhostTextRequest } from "./request.ts";
