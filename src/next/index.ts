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
} from "./arbitration.ts";
export type { AskEnd } from "./ask-model.ts";
export { type EditFilterOptions, type EditRefusal, editRefusal } from "./edit-filters.ts";
export { defaultWindowSettings, tryEditWindow, type WindowPlace, type WindowSettings } from "./edit-window.ts";
export { ExampleSource } from "./example/example-source.ts";
export { explainNextOutcome, printNextPlace, printSuggestion } from "./explain-next-outcome.ts";
export { formatFor, type KnownModel, type NextEditFormatChoice } from "./formats/format-for.ts";
export { nextEditFormatNamed, nextEditFormats } from "./formats/formats.ts";
export type { CodeFormatter } from "./layout/code-formatter.ts";
export { prettierFormatter } from "./layout/prettier-formatter.ts";
export {
  type AskedModel,
  type AskedModels,
  type ModelEditsEnd,
  type ModelEditsParts,
  type ModelEditsRequest,
  modelEdits,
} from "./model-edits.ts";
export { NameSource } from "./names/name-source.ts";
export { NameTables, type NameTablesParts } from "./names/name-tables.ts";
export { NextEditEngine, type WholeChain } from "./next-edit-engine.ts";
export type {
  ModelAnswer,
  NextEditFormat,
  NextEditFormatName,
  NextEditQuestion,
  ReadEnd,
  SceneRefusal,
} from "./next-edit-format.ts";
export type { NextEditParts } from "./next-edit-parts.ts";
export type { NextEditScene, SceneDiagnostic } from "./next-edit-scene.ts";
export type { FileMove, Moment, NextEditOrigin, NextEditSource, Proposal } from "./next-edit-source.ts";
export {
  type HeldProposal,
  type HoldReason,
  maxOthers,
  type NextEditOutcome,
  type NextEditSuggestion,
  type NextSilence,
  type NextTraceStep,
} from "./outcome.ts";
export { percent, printHoldReason } from "./print-hold-reason.ts";
export { printNextSilence } from "./print-next-silence.ts";
export {
  type RebasedSuggestion,
  type RebaseLimits,
  type RebaseRefusal,
  rebaseSuggestion,
} from "./rebase-suggestion.ts";
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
export type { NextEditRequest } from "./request.ts";
export { defaultSceneSettings, type SceneRequest, type SceneSettings, trySceneAt } from "./scene-at.ts";
export { defaultNextEditSettings, type NextEditSettings } from "./settings.ts";
export type { ShownPart, ShownScene } from "./shown-scene.ts";
export type { DroppedEdit } from "./sound-steps.ts";
export { TextIndex } from "./text-index.ts";
export { tryBehindCursor } from "./try-behind-cursor.ts";
export type { TypeJudge, TypeVerdict } from "./type-judge.ts";
export { FixSource } from "./types/fix-source.ts";
export { ImpactSource } from "./types/impact-source.ts";
export { PresentTypes } from "./types/present-types.ts";
export { ScriptStates } from "./types/script-states.ts";
export { WitnessJudge } from "./types/witness-judge.ts";
export type { UndoRefusal } from "./undo-guard.ts";
export { type ViewedPlace, viewedPages } from "./viewed-pages.ts";
export type { WorkspaceTexts } from "./workspace-texts.ts";
