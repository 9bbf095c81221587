export {
  type ChangedTexts,
  type ChangedTextsOptions,
  type ChangeRefusal,
  type ChangeRequest,
  type ChangeSkipReason,
  readChangedTexts,
  type SkippedChange,
  tryRefuseRange,
} from "./changed-texts.ts";
export { blockingDisk, disk, readNamedFile, replaceFile, toPortablePath, watchDisk } from "./disk.ts";
export { type GitAnswer, type GitHead, type GitOptions, gitDiff, gitHead, gitRoot, gitTracked } from "./git.ts";
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
export { makeFolder } from "./make-folder.ts";
export { type OwnedProcessOptions, type StdioKind, signalOwned, spawnOwned } from "./owned-process.ts";
export { readRegularFile } from "./regular-file.ts";
export { type ProgramEnd, type ProgramRun, runProgram } from "./run-program.ts";
export { systemClock, waitingClock } from "./system-clock.ts";
