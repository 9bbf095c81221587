export { type AddedIssue, addedIssues } from "./added-issues.ts";
export type { BoundaryEvidence, BoundaryRepair } from "./boundary-repair.ts";
export { type CarriedEdit, carryOver } from "./carry-over.ts";
export { textsAfter } from "./changed-files.ts";
export { chatThatSaid } from "./chat-that-said.ts";
export { EditEngine, type GivenAnswer } from "./edit-engine.ts";
export type {
  CheckAnswer,
  EditCheck,
  EditEngineParts,
  EditFormatter,
  FileToFormat,
  FormatAnswer,
} from "./edit-engine-parts.ts";
export type { EditEvent, EditOutcome, EditProposal, FileIssue, FilePlace, Preview } from "./edit-outcome.ts";
export { type EditPromptRequest, editPrompt, printPrompt } from "./edit-prompt.ts";
export type { EditFile, EditRequest } from "./edit-request.ts";
export { type EditJson, editToJson, type FileChangeJson, type ProposalJson } from "./edit-to-json.ts";
export { explainEdit, proposalOf } from "./explain-edit.ts";
export { newErrors } from "./new-errors.ts";
export { printFilePlace } from "./print-file-place.ts";
export { explainRegions, printNoGuide, printNoText, printRegionLines, printRegionRefusal } from "./print-region.ts";
export { type RefusedAnswer, refusalPrompt } from "./refusal-prompt.ts";
export {
  type NoGuideReason,
  type RegionAround,
  type RegionGuide,
  type RegionGuideAnswer,
  RegionGuides,
  type RegionGuidesOptions,
} from "./region-guides.ts";
export type { RegionProblem } from "./region-place.ts";
export type { RegionChange } from "./region-reader.ts";
export type { NoTextReason, RegionRefusal } from "./region-text.ts";
export {
  type AskedQuestion,
  formatOfAnswer,
  formatOfReply,
  mayBeWholeFile,
  pathsOfAnswer,
  printUnclearFormat,
  promptFormat,
  type ReplyFormat,
} from "./reply-format.ts";
export { retryPromptFor } from "./retry-prompt.ts";
export type { RegionReport, RewriteOutcome } from "./rewrite-outcome.ts";
export {
  type RegionGuidance,
  type RewriteParts,
  type RewriteRequest,
  rewritePrompt,
  rewriteRegions,
} from "./rewrite-regions.ts";
export { untilAborted } from "./until-aborted.ts";
