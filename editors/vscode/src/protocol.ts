/** The types of the protocol with the language server; they add no code to the bundle. */
export type { EditArgument } from "../../../src/server/edit/edit-argument.ts";
export type { EditAnswer, EditPromptAnswer } from "../../../src/server/edit/edit-command.ts";
export type {
  NextEditAcceptResult,
  NextEditCheckResult,
  NextEditItem,
  NextEditParams,
  NextEditResult,
} from "../../../src/server/index.ts";
export type { EditUndoParams, EditUndoResult } from "../../../src/server/protocol/edit-undo.ts";
export type { EmendStatusParams } from "../../../src/server/protocol/emend-status.ts";
export type { Explanation, ExplanationParams } from "../../../src/server/protocol/explanation.ts";
export type {
  PlanApplyResult,
  PlanName,
  PlanRejectParams,
  PlanStartParams,
  PlanViewParams,
} from "../../../src/server/protocol/plan-protocol.ts";
