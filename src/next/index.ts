export type { EditRefusal } from "./edit-checks/edit-filters.ts";
export type { EditTypeCheck, TypeVerdict } from "./edit-checks/edit-type-check.ts";
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
  type ShownOffer,
  shownOf,
  spreadsTypedWord,
  tryBehindCursor,
} from "./engine/arbitration.ts";
export {
  describeFilterReason,
  describeNoNextEdit,
  explainNextOutcome,
  isGuess,
  noNextEditTexts,
  percent,
  printNextPlace,
  printProposed,
  printSuggestion,
} from "./engine/explain-next-outcome.ts";
export type { NextEditRequest } from "./engine/gate.ts";
export { NextEditEngine, type WholeChain } from "./engine/next-edit-engine.ts";
export type { NextEditParts } from "./engine/next-edit-parts.ts";
export type {
  FilteredProposal,
  FilterReason,
  LeftOut,
  NextEditOutcome,
  NextEditSuggestion,
  NextTraceStep,
  NoNextEditReason,
} from "./engine/outcome.ts";
export { defaultNextEditSettings, type NextEditSettings } from "./engine/settings.ts";
export { TextIndex, type TextIndexOptions, type WorkspaceTexts } from "./engine/text-index.ts";
export { UndoGuard, type UndoGuardOptions, type UndoRefusal } from "./feedback/undo-guard.ts";
export type {
  ModelAnswer,
  NextEditFormat,
  NextEditFormatName,
  NextEditQuestion,
  PromptRefusal,
  ReadEdit,
  ReadEnd,
} from "./formats/next-edit-format.ts";
export { type KnownModel, nextEditFormats } from "./formats/next-edit-formats.ts";
export { type CodeFormatter, prettierFormatter } from "./layout/code-formatter.ts";
export type { CodeStyle } from "./layout/code-style.ts";
export type { ConfiguredStyle } from "./layout/line-layout.ts";
export type { BoostedTrees, TreeNode } from "./providers/boosted-trees.ts";
export type { ShownPart, ShownPromptInput } from "./providers/model/build-prompt-input.ts";
export type { RequestedModel, RequestedModels } from "./providers/model/model-edits.ts";
export type {
  NextEditPromptInput,
  RedactedEdit,
  RedactedSnippet,
} from "./providers/model/next-edit-prompt-input.ts";
export type { PromptInputSettings, RegionSettings } from "./providers/model/prompt-input-settings.ts";
export type {
  FileMove,
  NextEditContext,
  NextEditOrigin,
  NextEditProvider,
  Proposal,
  ProviderPolicy,
} from "./providers/next-edit-provider.ts";
export type { EditedFile, EditedLines } from "./providers/rename/changed-texts.ts";
export type {
  BindingRename,
  MemberOrigin,
  MemberPlace,
  MemberQuestion,
  MemberRename,
  MemberTarget,
  MemberTargets,
  ModuleRename,
  MovedModule,
  Rename,
  RenameEvidence,
  RenameParts,
  RenameSign,
  RepeatedRename,
  RepeatedRenameCount,
} from "./providers/rename/rename.ts";
export type { FoundRenames, RenamedMembers, RenamedMembersParts } from "./providers/rename/renamed-members.ts";
export type { Agreement } from "./recording/agreement.ts";
export {
  printRecordingIssue,
  type RecordingIssue,
  type RecordingReading,
  readRecording,
} from "./recording/read-recording.ts";
export { type RecordedFile, RecordedTexts } from "./recording/recorded-texts.ts";
export { Recorder, type RecorderOptions } from "./recording/recorder.ts";
export {
  type RecordedAction,
  type RecordedEvent,
  type Recording,
  recordingEnding,
  writeRecording,
} from "./recording/recording.ts";
