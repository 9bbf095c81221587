/** What the language server says, as types alone: nothing of it is bundled. */
export type { EditAnswer } from "../../../src/server/edit/edit-command.ts";
export type {
  NextEditAcceptResult,
  NextEditItem,
  NextEditParams,
  NextEditResult,
} from "../../../src/server/index.ts";
export type { EmendStatusParams } from "../../../src/server/protocol/emend-status.ts";
export type { Explanation, ExplanationParams } from "../../../src/server/protocol/explanation.ts";
export type {
  PlanApplyResult,
  PlanName,
  PlanRejectParams,
  PlanStartParams,
  PlanViewParams,
} from "../../../src/server/protocol/plan-protocol.ts";
