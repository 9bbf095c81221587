export {
  type ApplyFilePatchOptions,
  applyFilePatch,
  type FilePatchApplied,
  type FilePatchOutcome,
  type FilePatchRefused,
} from "./apply-file-patch.ts";
export { type CarriedEdit, carryOver } from "./carry-over.ts";
export {
  capitalized,
  codePointName,
  compareText,
  escapedPattern,
  isInsideCharacter,
  tearsCharacter,
} from "./characters.ts";
export { copyText, ownPart } from "./copy-text.ts";
export { type Diagnostic, printLocation } from "./diagnostic.ts";
export { diffSequences, type SequenceChange, type SharedEnds, sameEnds } from "./diff-sequences.ts";
export type { Document } from "./document.ts";
export { type Bias, Edit, type Ties } from "./edit.ts";
export { EmendError, errorMessage, InvariantError, invariant } from "./errors.ts";
export { quotePath, tryReadQuotedPath, unquotePath } from "./git-path.ts";
export { anyIdentifier, isIdentifier, type NameWord, nameWords, placedNameWords } from "./identifiers.ts";
export { asciiJson, deepPlaceInJson, isRecord, maxJsonNesting } from "./json.ts";
export {
  byteOrderMark,
  detectLineEnding,
  type LineEnding,
  Lines,
  oneLine,
  type Position,
  withLineFeeds,
  withoutByteOrderMark,
  withoutReturn,
} from "./lines.ts";
export { addToGroup, countsOf, getOrInsert, groupBy, sharedItems } from "./maps.ts";
export { type MinimalEditOptions, minimalEdit, minimizeEdit } from "./minimal-edit.ts";
export { once } from "./once.ts";
export {
  type DiffIssue,
  type DiffPrefixes,
  type ParsedDiff,
  parseUnifiedDiff,
  prefixesOf,
} from "./parse-unified-diff.ts";
export { quotedRanges } from "./quoted-ranges.ts";
export { ghostOf, isSubsequence } from "./subsequence.ts";
export {
  isInRange,
  movedBy,
  printRange,
  printTextEdit,
  rangesOverlap,
  type TextEdit,
  type TextRange,
} from "./text-edit.ts";
export {
  type FileChangeTexts,
  type FilePatch,
  type PatchHunk,
  type PatchLine,
  printFilePatch,
  splitPatchLines,
  toUnifiedDiff,
  toWorkspaceDiff,
  tryDiffFile,
} from "./unified-diff.ts";
export {
  applyWorkspaceEdit,
  composeWorkspaceEdits,
  emptyWorkspaceEdit,
  type FileChange,
  type FileTexts,
  invertWorkspaceEdit,
  printWorkspaceEdit,
  type WorkspaceEdit,
  type WorkspaceOutcome,
  type WorkspaceRefusal,
  workspaceEdit,
} from "./workspace-edit.ts";
