export type { EditJournalHost } from "./edit/saved-edits.ts";
export { toFileUri, tryPathOfUri } from "./file-uri.ts";
export { type ByteStream, FramedMessageReader, FramingError } from "./framed-message-reader.ts";
export { type LanguageServerHost, runLanguageServer } from "./language-server.ts";
export type {
  PlanContinueRequest,
  PlanHost,
  PlanNews,
  PlanNewsStream,
  PlanRequest,
  PlanRequestLimits,
  PlanRunParts,
  PlanTaskText,
  StoredPlanFile,
  StoredPlanPlace,
  StoredPlanState,
} from "./plan/plan-host.ts";
export type { EmendStatusParams } from "./protocol/emend-status.ts";
export type {
  SampleCompletion,
  SetupCandidate,
  SetupChoice,
  SetupDialog,
  SetupQuestion,
  SetupReport,
  SetupState,
  SetupStep,
  TrustReport,
} from "./protocol/setup-protocol.ts";
export type { LanguageServerTransport } from "./protocol-gate.ts";
export type { ExplainedOutcome, ExplainedRequest, RequestFiguresStatus } from "./request-log.ts";
export type { ServerStatus } from "./server-status.ts";
export type { OwnSettings } from "./setup/own-settings-methods.ts";
export { askForKeyCommand, type SetUp, type SetupRequest } from "./setup/setup-method.ts";
export type {
  NextEditAcceptResult,
  NextEditCheckResult,
  NextEditItem,
  NextEditParams,
  NextEditPlace,
  NextEditResult,
} from "./suggestions/next-edit-methods.ts";
export type {
  RequestRefusal,
  ServerNoNextEditReason,
  ServerNoSuggestionReason,
} from "./suggestions/server-no-suggestion.ts";
export type { SnoozedReason } from "./suggestions/snooze.ts";
