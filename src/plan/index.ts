export type { BlockRewrite, RewriteAuthor } from "./block-rewrite.ts";
export { makeRewrite, pathsOfEdit } from "./block-rewrite.ts";
export { isWork, isWorthAsking } from "./derive-steps.ts";
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
export { CheckedMechanicalEdits, type MechanicalParts } from "./mechanical/checked-mechanical-edits.ts";
export { ChatModelStep, type ChatModelStepOptions } from "./model-step.ts";
export { type OpenStep, openSteps } from "./open-step.ts";
export {
  errorsOf,
  isContent,
  type Oracle,
  type OracleFailure,
  type OracleQuestion,
  type OracleVerdict,
  printVerdict,
} from "./oracle.ts";
export {
  type BlockAt,
  compareFindings,
  type FindingsDifference,
  findingKey,
} from "./oracles/compare-findings.ts";
export type { Loose } from "./oracles/finding.ts";
export { type Finding, type FindingPlace, type FindingSeverity, finding, printFinding } from "./oracles/finding.ts";
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
export { parseWithEdits, planEventFromJson, planEventToJson } from "./plan-event.ts";
export {
  causingStep,
  PlanGraph,
  type PlanStep,
  type StepCause,
  type StepId,
  type StepStatus,
} from "./plan-graph.ts";
export { type CompleteLimits, costOf, limitsOf, printAmount } from "./plan-limits.ts";
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
export {
  countSteps,
  type PlanMoney,
  printPlanProgress,
  type StepCounts,
  sayCost,
} from "./plan-progress.ts";
export { type GivenFindings, givenFindingsOf, isAboutOracles, type PlanSeed } from "./plan-seed.ts";
export type { BegunStep } from "./plan-state.ts";
export { afterEvent, foldPlan, noPlan, type OracleAnswer, type PlanState } from "./plan-state.ts";
export { inOneRow, printPlanEvent } from "./print-plan-event.ts";
export { type Rejection, rejectStep } from "./review.ts";
export type { StepText } from "./step-context.ts";
export { stepContext } from "./step-context.ts";
export { type StepBudget, stepPrompt, stepTask, usualStepBudget } from "./step-task.ts";
export { type PlanWrite, type TakenBack, takeBack } from "./take-back.ts";
