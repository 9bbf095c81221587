export { closesFence, type Fence, FenceState, tryReadFence } from "./fence.ts";
export {
  type AnswerPlace,
  type Opening,
  type OpeningOptions,
  readOpening,
  readOpeningAt,
  readsAsTalk,
} from "./opening.ts";
export {
  afterLoneReasoningEnd,
  beginsWithReasoningTag,
  closingReasoningRow,
  hasReasoningOpening,
  hasReasoningTag,
  type LeadingReasoning,
  ReasoningRows,
  readReasoning,
  reasoningTagNames,
  withoutReasoning,
} from "./reasoning.ts";
