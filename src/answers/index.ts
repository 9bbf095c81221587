export { closesFence, closingFenceAt, type Fence, FenceState, tryReadFence } from "./fence.ts";
export { repeatsBelow, withoutFollowingLines } from "./following-lines.ts";
export { InvisibleFilter } from "./invisible-text.ts";
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
export { RepeatedContextFilter, RepeatedWindowDetector, type WindowSurroundings } from "./repeated-context-filter.ts";
export { RepeatedSuffixFilter, repeatedPrefixFilter } from "./repeated-ends.ts";
export {
  countRepeatedBelow,
  hasWords,
  isNonBlank,
  RepeatedLinesAbove,
  withoutRepeatedContext,
} from "./repeated-lines.ts";
export { withoutRepetition } from "./repetition.ts";
export { LineLimit, StopFilter } from "./stop-filter.ts";
export {
  BeginningFilter,
  pipeline,
  type ReadBeginning,
  type Removal,
  type StreamFilter,
  WholeCharacters,
} from "./stream-filter.ts";
