export {
  type ChangedTexts,
  type ChangedTextsOptions,
  type ChangeRefusal,
  type ChangeRequest,
  type ChangeSkipReason,
  readChangedTexts,
  type SkippedChange,
} from "./changed-texts.ts";
export { disk, readNamedFile, readRegularFile, toPortablePath, watchDisk } from "./disk.ts";
export { type GitAnswer, type GitOptions, gitDiff, gitHead, gitRoot, gitTracked } from "./git.ts";
export {
  type BranchCommit,
  type CommittedFile,
  commitOnNewBranch,
  gitBranchState,
  gitCommittedFiles,
} from "./git-branch.ts";
export {
  addWorktree,
  forgetWorktree,
  type GitCloneRequest,
  type GitFolderKind,
  gitClone,
  gitFiles,
  gitFolderKind,
  gitSubmodules,
} from "./git-worktree.ts";
export {
  type ImpactProgress,
  ImpactWorkspace,
  type ImpactWorkspaceOptions,
  printSkippedChange,
} from "./impact-workspace.ts";
export type { OwnedProcessOptions, StdioKind } from "./owned-process.ts";
export { signalOwned, spawnOwned } from "./owned-process.ts";
export { parseScriptTree } from "./parse-script-tree.ts";
export type { PyrightProgram, PyrightSearch } from "./pyright-program.ts";
export type {
  PyrightError,
  PyrightPlace,
  PyrightRequestOptions,
  PyrightService,
  PyrightServiceOptions,
} from "./pyright-service.ts";
export type { MembersToResolve, PyrightSource, PyrightSourceOptions, ResolvedMembers } from "./pyright-source.ts";
export type { PythonTypesRequest } from "./pyright-types.ts";
export {
  joinTypeCheckers,
  type PythonTypeChecker,
  PythonTypes,
  type PythonTypesOptions,
  pyrightIn,
} from "./pyright-types.ts";
export type {
  PyrightExcess,
  PyrightRequests,
  RestartableService,
  RestartingPyright,
  RestartingPyrightOptions,
} from "./restarting-pyright.ts";
export type { RequestOptions } from "./restarting-typescript.ts";
export { RestartingTypeScript } from "./restarting-typescript.ts";
export { systemClock, waitingClock } from "./system-clock.ts";
export type { CulpritSearch } from "./typescript-culprits.ts";
export { excessOf, findFilesOverLimit, type LeftOutFiles, printLeftOut } from "./typescript-culprits.ts";
export {
  type FolderNames,
  filesOfDisk,
  filesOfTree,
  filesWithTexts,
  maxCheckedBytes,
  type TypeScriptFiles,
  textsWithMark,
} from "./typescript-files.ts";
export type { TypeScriptSnapshot } from "./typescript-service.ts";
export {
  type DeclarationPlace,
  type MemberNames,
  type NamedSymbol,
  type TypeScriptDiagnostic,
  type TypeScriptProject,
  type TypeScriptRequestOptions,
  TypeScriptService,
  type TypeScriptServiceOptions,
} from "./typescript-service.ts";
export { TypeScriptSource, type TypeScriptSourceOptions } from "./typescript-source.ts";
export type { CheckerExcess, CheckerLimits } from "./watch-checker.ts";
