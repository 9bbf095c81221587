export { analysisImpact, tryMechanicalEdits } from "./analysis-impact.ts";
export { pathsOfSeeds } from "./apply-plan.ts";
export { type CommandVerifierOptions, commandVerifier } from "./command-verifier.ts";
export type { LeftOutPath } from "./copy-files.ts";
export {
  folderOfPlan,
  isPlanRunning,
  listPlans,
  type PlanJournalPlace,
  type PlanJournalReading,
  plansFolder,
  tryReadPlanJournal,
} from "./plan-journal.ts";
export { PlanPageFile } from "./plan-page-file.ts";
export {
  type FileHashes,
  type PlanSetup,
  readPlanRecord,
  type TextAt,
  tryReadOpenSteps,
  writeOpenSteps,
  writePlanRecord,
} from "./plan-record.ts";
export { FolderPlanStore, type PlanStore, type StoredPlan } from "./plan-store.ts";
export {
  openRedisFleet,
  type RedisFleet,
  type RedisFleetOptions,
  type SharedPlanStore,
} from "./redis/redis-fleet.ts";
export type { ScratchChanges } from "./scratch-changes.ts";
export {
  openScratchClone,
  openScratchCopy,
  type ScratchAnswer,
  type ScratchClone,
  type ScratchCopy,
  type ScratchOptions,
  type ScratchRefusal,
} from "./scratch-copy.ts";
export { ScratchPlanWorkspace } from "./scratch-plan-workspace.ts";
export { tracelessVerifier } from "./traceless-verifier.ts";
