export { type DecodedText, decodeText } from "./binary.ts";
export type { Clock } from "./clock.ts";
export {
  type EntryKind,
  type FileStat,
  type FileSystem,
  FileSystemError,
  type FileSystemFailure,
  type FolderEntry,
} from "./file-system.ts";
export { tryGeneratedPath, tryGeneratedRemark } from "./generated.ts";
export { type GitPattern, type GitPatternOptions, tryParseGitPattern } from "./git-pattern.ts";
export {
  type GitChange,
  type GitConflictSide,
  type GitHead,
  type GitSide,
  type GitStatus,
  type GitTrackedChange,
  gitStatusArguments,
  parseGitStatus,
} from "./git-status.ts";
export { IgnoreRules, type IgnoreRulesOptions, type IgnoreVerdict } from "./ignore-rules.ts";
export { IgnoreTree, type IgnoreTreeOptions, ignoreFileNames } from "./ignore-tree.ts";
export { MemoryFileSystem } from "./memory-file-system.ts";
export { tryMinified } from "./minified.ts";
export {
  defaultMaxBytes,
  holdsPrivateKey,
  type ReadRules,
  type ReadSourceOptions,
  readSource,
  type SourceAnswer,
} from "./read-source.ts";
export { type ReadSourcesOptions, readSources } from "./read-sources.ts";
export { trySecretPath } from "./secret-path.ts";
export { type LinkRefusal, printSkipReason, type SkipReason } from "./skip-reason.ts";
export type { SkippedPath, SurveyOptions, WorkspaceFile } from "./survey.ts";
export { type WalkItem, type WalkOptions, walkWorkspace } from "./walk.ts";
export type { Watch, Watcher, WatchRequest } from "./watch.ts";
export { openWorkspace, type Workspace, type WorkspaceChange, type WorkspaceOptions } from "./workspace.ts";
export { comparePaths, folderDistance, folderOf, joinPath, nameOf, tryRelativePath } from "./workspace-path.ts";
