export type { PyrightProgram } from "./pyright-program.ts";
export {
  type PyrightPlace,
  PyrightService,
  type PyrightServiceOptions,
} from "./pyright-service.ts";
export type { PyrightSourceOptions } from "./pyright-source.ts";
export type { PythonTypesOptions } from "./pyright-types.ts";
export {
  type PyrightExcess,
  type PyrightRequests,
  RestartingPyright,
  type RestartingPyrightOptions,
} from "./restarting-pyright.ts";
export { printSkippedChange, skippedCoverage } from "./skipped-coverage.ts";
export type { LeftOutFiles } from "./typescript-culprits.ts";
export { type FolderNames, filesOfTree, type TypeScriptFiles } from "./typescript-files.ts";
export { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";
export type { CheckerExcess, CheckerLimits } from "./watch-checker.ts";
export {
  type AnalysisProgress,
  type ChangedAnalysis,
  type RepairChecks,
  WorkspaceAnalysis,
  type WorkspaceAnalysisOptions,
} from "./workspace-analysis.ts";
export {
  type OpenedTypeChecker,
  type PresentTexts,
  WorkspaceTypes,
  type WorkspaceTypesOptions,
} from "./workspace-types.ts";
