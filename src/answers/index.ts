export { closesFence, type Fence, FenceState, tryReadFence } from "./fence.ts";
export { repeatsBelow, withoutFollowingLines } from "./following-lines.ts";
export { hasWords, isNonBlank } from "./has-words.ts";
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
export { RepeatedContextFilter, RepeatedWindowDetector, type WindowSurroundings } from "./repeated-context-filter.ts";
export { countRepeatedBelow, RepeatedLinesAbove, withoutRepeatedContext } from "./repeated-lines.ts";
export { repeatedPrefixFilter } from "./repeated-prefix.ts";
export { RepeatedSuffixFilter } from "./repeated-suffix.ts";
export { withoutRepetition } from "./repetition.ts";
export { StopFilter } from "./stop-filter.ts";
export { BeginningFilter, pipeline, type ReadBeginning, type Removal, type StreamFilter } from "./stream-filter.ts";
export { WholeCharacters } from "./whole-characters.ts";
