export type { EditToFilter } from "./edit-checks/edit-filters.ts";
export { type EditFilterOptions, type EditRefusal, editRefusal } from "./edit-checks/edit-filters.ts";
export type { EditTypeCheck, TypeVerdict } from "./edit-checks/edit-type-check.ts";
export type { TypeErrorCheckParts } from "./edit-checks/type-error-check.ts";
export { TypeErrorCheck } from "./edit-checks/type-error-check.ts";
export type { WaitingOffer } from "./engine/arbitration.ts";
export {
  type ArbitrationEvent,
  type ArbitrationRules,
  type ArbitrationState,
  arbitrate,
  arbitrationOf,
  dueMs,
  type Eagerness,
  freeAtMs,
  type Offer,
  onlyAddsBehind,
  type ShownOffer,
  shownOf,
  spreadsTypedWord,
  tryBehindCursor,
} from "./engine/arbitration.ts";
export {
  describeFilterReason,
  describeNoNextEdit,
  explainNextOutcome,
  percent,
  printNextPlace,
  printSuggestion,
} from "./engine/explain-next-outcome.ts";
export { NextEditEngine, type WholeChain } from "./engine/next-edit-engine.ts";
export type { NextEditParts } from "./engine/next-edit-parts.ts";
export {
  type FilteredProposal,
  type FilterReason,
  type LeftOut,
  maxOthers,
  type NextEditOutcome,
  type NextEditSuggestion,
  type NextTraceStep,
  type NoNextEditReason,
} from "./engine/outcome.ts";
export {
  type RebasedSuggestion,
  type RebaseLimits,
  type RebaseRefusal,
  rebaseSuggestion,
} from "./engine/rebase-suggestion.ts";
export type { NextEditRequest } from "./engine/request.ts";
export { defaultNextEditSettings, type NextEditSettings } from "./engine/settings.ts";
export { TextIndex, type WorkspaceTexts } from "./engine/text-index.ts";
export { UndoGuard, type UndoGuardOptions, type UndoRefusal } from "./feedback/undo-guard.ts";
export {
  formatFor,
  type KnownModel,
  type NextEditFormatChoice,
  nextEditFormatNamed,
  nextEditFormats,
} from "./formats/formats.ts";
export type {
  ModelAnswer,
  NextEditFormat,
  NextEditFormatName,
  NextEditQuestion,
  PromptRefusal,
  ReadEdit,
  ReadEnd,
} from "./formats/next-edit-format.ts";
export { type CodeFormatter, prettierFormatter } from "./layout/code-formatter.ts";
export type { CodeStyle } from "./layout/code-style.ts";
export type { BoostedTrees } from "./providers/boosted-trees.ts";
export { ExampleProvider } from "./providers/example/example-provider.ts";
export type { SiteFeatures } from "./providers/example/site-features.ts";
export type { JudgedSites } from "./providers/example/site-proposals.ts";
export type { FixProviderParts } from "./providers/fix/fix-provider.ts";
export { FixProvider } from "./providers/fix/fix-provider.ts";
export type { ImpactProviderParts } from "./providers/impact/impact-provider.ts";
export { ImpactProvider } from "./providers/impact/impact-provider.ts";
export {
  defaultPromptInputSettings,
  type PromptInputRequest,
  type PromptInputSettings,
  recentlyViewedSnippets,
  type ShownPart,
  type ShownPromptInput,
  tryBuildPromptInput,
  type ViewedLocation,
} from "./providers/model/build-prompt-input.ts";
export {
  defaultWindowSettings,
  tryEditWindow,
  type WindowPlace,
  type WindowSettings,
} from "./providers/model/editable-region.ts";
export {
  type ModelEditsEnd,
  type ModelEditsParts,
  type ModelEditsRequest,
  modelEdits,
  type RequestedModel,
  type RequestedModels,
} from "./providers/model/model-edits.ts";
export type {
  NextEditPromptInput,
  PromptDiagnostic,
  RedactedDiagnostic,
  RedactedEdit,
  RedactedSnippet,
} from "./providers/model/next-edit-prompt-input.ts";
export type { ModelRequestEnd } from "./providers/model/request-next-edits.ts";
export type { DroppedEdit } from "./providers/model/syntax-safe-edits.ts";
export type {
  FileMove,
  NextEditContext,
  NextEditOrigin,
  NextEditProvider,
  Proposal,
} from "./providers/next-edit-provider.ts";
export type { EditedFile } from "./providers/rename/edited-files.ts";
export type { NameTable } from "./providers/rename/name-table.ts";
export type { NameQuestion } from "./providers/rename/name-tables.ts";
export { NameTables, type NameTablesParts } from "./providers/rename/name-tables.ts";
export type { Rename } from "./providers/rename/rename.ts";
export type { JudgedUses } from "./providers/rename/rename-provider.ts";
export { RenameProvider } from "./providers/rename/rename-provider.ts";
export type { RenamedMembers } from "./providers/rename/renamed-members.ts";
export type { ScriptModules } from "./providers/rename/script-modules.ts";
export type { ParseCacheReader, ReadChangesOptions } from "./providers/types/parse-cache.ts";
export { ParseCache } from "./providers/types/parse-cache.ts";
export type { PastChange } from "./providers/types/past-change.ts";
export type { TextOverlay, TypeCheckCacheParts } from "./providers/types/type-check-cache.ts";
export { TypeCheckCache } from "./providers/types/type-check-cache.ts";
export { type Agreement, agreementOf } from "./recording/agreement.ts";
export {
  printRecordingIssue,
  type RecordingIssue,
  type RecordingReading,
  readRecording,
} from "./recording/read-recording.ts";
export { type RecordedFile, RecordedTexts } from "./recording/recorded-texts.ts";
export { Recorder, type RecorderOptions } from "./recording/recorder.ts";
export { type RecordedAction, type RecordedEvent, type Recording, recordingEnding } from "./recording/recording.ts";
export {
  eventSeparator,
  recordingHead,
  recordingTail,
  writeEvent,
  writeRecording,
} from "./recording/write-recording.ts";
