export { type BlockRewrite, pathsOfEdit, type RewriteAuthor } from "./block-rewrite.ts";
export { newFindings } from "./derive-steps.ts";
export { describeCauses, describeErrors } from "./describe-causes.ts";
export {
  type FleetList,
  type FleetListIssue,
  type ListedRepository,
  parseFleetList,
  shortNameOf,
} from "./fleet/fleet-list.ts";
export { InProcessQueue } from "./fleet/in-process-queue.ts";
export type { CarryOut, JobEvent, JobEvents, JobOutcome, JobQueue, QueuedJob, WorkOptions } from "./fleet/job-queue.ts";
export { ChatModelStep, type ChatModelStepOptions, readPastedAnswer } from "./model-step.ts";
export { type OpenStep, openSteps } from "./open-step.ts";
export { type PlanHtmlOptions, toPlanHtml } from "./page/plan-to-html.ts";
export {
  type PlanView,
  type PlanViewOptions,
  planTitleOf,
  planViewOf,
  type StepLink,
  type StepView,
  type StepViewStatus,
  type VerdictView,
} from "./page/plan-view.ts";
export { type ManualResult, type PlanRunOptions, type PlanStart, runPlan } from "./plan-engine.ts";
export {
  type Consequences,
  type GivenFindings,
  givenFindingsOf,
  isAboutVerifiers,
  type ModelAnswer,
  type ModelTask,
  type PlacedFinding,
  type PlanEnd,
  type PlanEvent,
  type PlanSeed,
  parseWithEdits,
  planEventFromJson,
} from "./plan-event.ts";
export {
  type BlockError,
  PlanGraph,
  type PlanStep,
  type StepCause,
  type StepId,
  type StepStatus,
} from "./plan-graph.ts";
export { type CompleteLimits, costOf, limitsOf } from "./plan-limits.ts";
export type {
  BlockGraph,
  ImpactSource,
  LeftWork,
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
  StepRequest,
} from "./plan-parts.ts";
export {
  afterEvent,
  type BegunStep,
  foldPlan,
  isInstructionUnread,
  noPlan,
  type PlanState,
  type VerifierAnswer,
} from "./plan-state.ts";
export {
  countSteps,
  inOneRow,
  type PlanMoney,
  planEndWords,
  printPlanEnd,
  printPlanEvent,
  printPlanProgress,
  type StepCounts,
  stepStatusWords,
} from "./print-plan.ts";
export { type Rejection, rejectStep } from "./review.ts";
export type { PlanWrite } from "./take-back.ts";
export type { Finding, FindingPlace } from "./verification/finding.ts";
export { locateFindings, type VerifierGround } from "./verification/locate-findings.ts";
export {
  detectVerifierFormat,
  parseVerifierCommand,
  type VerifierCommand,
  type VerifierFormat,
  type VerifierFormatName,
  verifierFormat,
  verifierFormatNames,
} from "./verification/verifier-format.ts";
export type { ReadVerifier, VerifierReading } from "./verification/verifier-reading.ts";
export type { Verifier, VerifierFailure, VerifierResult, VerifierRunOptions } from "./verifier.ts";
