export type { BoundaryEvidence, BoundaryRepair } from "./boundaries/boundary-repair.ts";
export type { ChangedFile, KnownLanguages } from "./changed-files.ts";
export { textsAfter } from "./changed-files.ts";
export { EditEngine, type GivenAnswer } from "./edit-engine.ts";
export type {
  EditEngineParts,
  EditFormatter,
  EditVerification,
  FileToFormat,
  FormatAnswer,
  VerificationResult,
} from "./edit-engine-parts.ts";
export {
  type EditEvent,
  type EditOutcome,
  type EditProposal,
  type FilePlace,
  type Preview,
  printFilePlace,
} from "./edit-outcome.ts";
export { type EditPromptRequest, editPrompt, printPrompt } from "./edit-prompt.ts";
export type { EditFile, EditRequest } from "./edit-request.ts";
export { type EditJson, editToJson, type FileChangeJson, type ProposalJson } from "./edit-to-json.ts";
export { type ExplainEditOptions, explainEdit, proposalOf } from "./explain-edit.ts";
export { cannedChatModel, type PastedAnswer, readPastedAnswer } from "./pasted-answer.ts";
export { namesDefinedIn } from "./read-definitions.ts";
export {
  explainRegions,
  printNoGuide,
  printNoText,
  printRegionLines,
  printRegionRefusal,
} from "./regions/print-region.ts";
export {
  type NoGuideReason,
  type RegionAround,
  type RegionGuide,
  type RegionGuideAnswer,
  RegionGuides,
  type RegionGuidesOptions,
} from "./regions/region-guides.ts";
export type { RegionProblem } from "./regions/region-place.ts";
export type { RegionChange } from "./regions/region-reader.ts";
export type {
  NoTextReason,
  RegionRefusal,
  RegionReport,
  RewriteOutcome,
  WrittenRegion,
} from "./regions/region-text.ts";
export {
  type RegionGuidance,
  type RewriteParts,
  type RewriteRequest,
  rewritePrompt,
  rewriteRegions,
} from "./regions/rewrite-regions.ts";
export { type AddedIssue, addedIssues } from "./repair/added-issues.ts";
export {
  formatOfAnswer,
  isRefusedWhole,
  mayBeWholeFile,
  pathsOfAnswer,
  printUnclearFormat,
  promptFormat,
  type ReplyFormat,
} from "./reply-format.ts";
export { retryPromptFor } from "./retry-prompt.ts";
