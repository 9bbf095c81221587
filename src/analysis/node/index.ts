export {
  type ImpactProgress,
  ImpactWorkspace,
  type ImpactWorkspaceOptions,
  printSkippedChange,
} from "./impact-workspace.ts";
export { parseScriptTree } from "./parse-script-tree.ts";
export type { PyrightProgram, PyrightSearch } from "./pyright-program.ts";
export {
  type PyrightError,
  type PyrightPlace,
  type PyrightRequestOptions,
  PyrightService,
  type PyrightServiceOptions,
} from "./pyright-service.ts";
export {
  type MembersToResolve,
  PyrightSource,
  type PyrightSourceOptions,
  type ResolvedMembers,
} from "./pyright-source.ts";
export {
  joinTypeCheckers,
  type PythonTypeChecker,
  PythonTypes,
  type PythonTypesOptions,
  type PythonTypesRequest,
  pyrightIn,
} from "./pyright-types.ts";
export {
  type PyrightExcess,
  type PyrightRequests,
  type RestartableService,
  RestartingPyright,
  type RestartingPyrightOptions,
} from "./restarting-pyright.ts";
export { type RequestOptions, RestartingTypeScript } from "./restarting-typescript.ts";
export {
  type CulpritSearch,
  excessOf,
  findFilesOverLimit,
  type LeftOutFiles,
  printLeftOut,
} from "./typescript-culprits.ts";
export {
  type FolderNames,
  filesOfDisk,
  filesOfTree,
  filesWithTexts,
  maxCheckedBytes,
  type TypeScriptFiles,
  textsWithMark,
} from "./typescript-files.ts";
export {
  type TypeScriptRequestOptions,
  TypeScriptService,
  type TypeScriptServiceOptions,
  type TypeScriptSnapshot,
} from "./typescript-service.ts";
export { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";
export type { CheckerExcess, CheckerLimits } from "./watch-checker.ts";
export {
  type OpenedTypeChecker,
  type PresentTexts,
  WorkspaceTypes,
  type WorkspaceTypesOptions,
} from "./workspace-types.ts";
