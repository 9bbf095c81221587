export type { BlockRewrite, RewriteAuthor } from "./block-rewrite.ts";
export { pathsOfEdit } from "./block-rewrite.ts";
export { describeCauses } from "./describe-causes.ts";
export { EventQueue } from "./event-queue.ts";
export {
  type FleetList,
  type FleetListIssue,
  type ListedRepository,
  parseFleetList,
  shortNameOf,
} from "./fleet/fleet-list.ts";
export { InProcessQueue } from "./fleet/in-process-queue.ts";
export type { CarryOut, JobEvent, JobEvents, JobOutcome, JobQueue, QueuedJob, WorkOptions } from "./fleet/job-queue.ts";
export { ChatModelStep, type ChatModelStepOptions } from "./model-step.ts";
export { type OpenStep, openSteps } from "./open-step.ts";
export type { Oracle, OracleFailure, OracleQuestion, OracleVerdict } from "./oracle.ts";
export type { Finding, FindingPlace, FindingSeverity } from "./oracles/finding.ts";
export { locateFindings, type OracleGround } from "./oracles/locate-findings.ts";
export {
  detectOracleFormat,
  type OracleCommand,
  type OracleFormat,
  type OracleFormatName,
  oracleFormat,
  oracleFormatNames,
  parseOracleCommand,
} from "./oracles/oracle-format.ts";
export type { OracleReading, ReadOracle } from "./oracles/oracle-reading.ts";
export { toPlanHtml } from "./page/plan-to-html.ts";
export {
  type PlanView,
  planViewOf,
  type StepLink,
  type StepStanding,
  type StepView,
  type VerdictView,
} from "./page/plan-view.ts";
export { readPastedAnswer } from "./pasted-answer.ts";
export { type HandWork, type PlanRunOptions, type PlanStart, runPlan } from "./plan-engine.ts";
export type { Consequences, ModelAnswer, ModelTask, PlacedFinding, PlanEnd, PlanEvent } from "./plan-event.ts";
export { parseWithEdits, planEventFromJson } from "./plan-event.ts";
export { PlanGraph, type PlanStep, type StepCause, type StepId, type StepStatus } from "./plan-graph.ts";
export { type CompleteLimits, costOf, limitsOf } from "./plan-limits.ts";
export type {
  BlockGraph,
  ImpactSource,
  MechanicalAnswer,
  MechanicalEdits,
  ModelRunOptions,
  ModelStep,
  ModelStepAnswer,
  PartOptions,
  PlanJournal,
  PlanLimits,
  PlanParts,
  PlanWorkspace,
  StepQuestion,
} from "./plan-parts.ts";
export { countSteps, type PlanMoney, printPlanProgress, type StepCounts } from "./plan-progress.ts";
export { type GivenFindings, isAboutOracles, type PlanSeed } from "./plan-seed.ts";
export type { BegunStep } from "./plan-state.ts";
export { afterEvent, foldPlan, noPlan, type OracleAnswer, type PlanState } from "./plan-state.ts";
export { inOneRow, printPlanEvent } from "./print-plan-event.ts";
export { type Rejection, rejectStep } from "./review.ts";
export type { PlanWrite } from "./take-back.ts";
