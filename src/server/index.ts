export { toFileUri, tryPathOfUri } from "./file-uri.ts";
export type { ExplainedOutcome, ServerSilence } from "./ghost-text-service.ts";
export { type LanguageServerHost, type LanguageServerTransport, runLanguageServer } from "./language-server.ts";
export type {
  NextEditAcceptParams,
  NextEditAcceptResult,
  NextEditItem,
  NextEditParams,
  NextEditPlace,
  NextEditResult,
} from "./next-edit-methods.ts";
export type { ExplainedNextEdit, NextServerSilence } from "./next-edit-service.ts";
export type {
  PlanGoOnRequest,
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
} from "./plan-host.ts";
export { printNextServerSilence } from "./print-next-server-silence.ts";
export { printServerSilence } from "./print-server-silence.ts";
export type { ServerStatus } from "./server-status.ts";
