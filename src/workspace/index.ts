export { AccessRules, type AccessRulesOptions, type FileVerdict } from "./access-rules.ts";
export { type DecodedText, decodeText } from "./binary.ts";
export {
  type EntryKind,
  type FileStat,
  type FileSystem,
  FileSystemError,
  type FileSystemFailure,
  type FolderEntry,
  type Watch,
  type Watcher,
  type WatchRequest,
} from "./file-system.ts";
export { gitHeadText } from "./git-folder.ts";
export { type IgnoreFamilies, IgnoreTree, type IgnoreTreeOptions, type IgnoreVerdict } from "./ignore-tree.ts";
export { MemoryFileSystem } from "./memory-file-system.ts";
export { isGlob, type PathGlob, type PathGlobOptions, tryParsePathGlob, tryPathGlobIssue } from "./path-glob.ts";
export {
  defaultMaxBytes,
  holdsPrivateKey,
  type ReadRules,
  type ReadSourceOptions,
  type ReadSourcesOptions,
  readSource,
  readSources,
  type SourceAnswer,
} from "./read-source.ts";
export { trySecretPath } from "./secret-path.ts";
export { type LinkRefusal, printSkipReason, type SkipReason } from "./skip-reason.ts";
export { stampOf } from "./stamp.ts";
export type { SkippedPath, SurveyOptions, WorkspaceFile } from "./survey.ts";
export {
  type ChangedText,
  type ChangeSide,
  overlayAt,
  type TextLookup,
  type TextOverlay,
  textsAt,
  textsWith,
} from "./texts/text-overlay.ts";
export { TextQueue, type TextQueueOptions } from "./texts/text-queue.ts";
export { TextStore, type TextStoreOptions, type UnsavedDocument } from "./texts/text-store.ts";
export { type WalkItem, type WalkOptions, walkInBatches, walkWorkspace } from "./walk.ts";
export {
  type FileStamps,
  type RecordedEntry,
  type RecordedFolder,
  type WalkRecord,
  WalkRecorder,
  type WalkRecorderOptions,
} from "./walk-record.ts";
export { openWorkspace, Workspace, type WorkspaceChange, type WorkspaceOptions } from "./workspace.ts";
export {
  comparePaths,
  folderDistance,
  folderOf,
  foldersAbove,
  isRelative,
  joinPath,
  nameOf,
  relativePath,
  resolvedPath,
  tryRelativePath,
  tryResolvePath,
} from "./workspace-path.ts";
