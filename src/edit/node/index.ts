export { type EditDisk, isMissing, systemCode, systemDisk } from "./edit-disk.ts";
export type { JournalOptions } from "./edit-journal.ts";
export type { EditPlace } from "./edit-place.ts";
export { kindAt, realFolder, refusalOfError } from "./edit-place.ts";
export { type FileRefusal, type FileRefusalKind, fileRefusal, printFileRefusal } from "./file-refusal.ts";
export { type ConfiguredFormatter, type FormatterName, findFormatter } from "./find-formatter.ts";
export { keepForm } from "./keep-line-endings.ts";
export type { PathState, PutState } from "./path-state.ts";
export { placeStaged, stageState, syncFolder } from "./path-state.ts";
export { type ProjectFormatterOptions, projectFormatter } from "./project-formatter.ts";
export { maxEditBytes, type ReadEditFiles, type ReadEditOptions, readEditFiles } from "./read-edit-files.ts";
export { type EditorEdit, type EditorFile, type RecordedEdit, recordSavedEdit } from "./record-saved-edit.ts";
export { type VerificationOptions, verifyOnDisk } from "./try-on-disk.ts";
export type { OlderEdit } from "./undo-edits.ts";
export {
  type EditsToUndo,
  editToUndo,
  type JournalRecord,
  listJournal,
  type UndoneEdit,
  type UndoOutcome,
  type UndoStop,
  undoEdits,
} from "./undo-edits.ts";
export { type Healed, healWorkspace, isEditInterrupted, type WriteOptions } from "./with-journal.ts";
export { isAlive, isWorkspaceLocked, type LockAnswer, type LockOptions, withWorkspaceLock } from "./workspace-lock.ts";
export { type EditToWrite, type NotWritten, type WriteOutcome, writeWorkspaceEdit } from "./write-workspace-edit.ts";
