export { closesFence, type Fence, FenceState, tryReadFence } from "./fence.ts";
export { InvisibleFilter } from "./invisible-text.ts";
export { LineLimit } from "./line-limit.ts";
export {
  type AnswerPlace,
  type Opening,
  type OpeningOptions,
  readOpening,
  readOpeningAt,
  readsAsTalk,
} from "./opening.ts";
export { OpeningFilter } from "./opening-filter.ts";
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
export { repeatedPrefixFilter } from "./repeated-prefix.ts";
export { RepeatedSuffixFilter } from "./repeated-suffix.ts";
export { StopFilter } from "./stop-filter.ts";
export { BeginningFilter, pipeline, type ReadBeginning, type Removal, type StreamFilter } from "./stream-filter.ts";
export { WholeCharacters } from "./whole-characters.ts";
