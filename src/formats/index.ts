export { chooseFormat, type FormatChoice, type FormatQuestion } from "./choose-format.ts";
export type { EditFormat, FormatName, ReadOptions, ShownFile } from "./edit-format.ts";
export type {
  BlockEdit,
  CreateFile,
  EditOperation,
  ElidedEdit,
  LineAnchor,
  LineRangeEdit,
  MoveFile,
  OperationOrigin,
  RemoveFile,
  StringEdit,
  WholeFileEdit,
} from "./edit-operation.ts";
export { formatNamed, formats } from "./formats.ts";
export type { HunkRow } from "./placing/hunk-rows.ts";
export { type EndedLine, fileLines, LineTable } from "./placing/line-table.ts";
export type { LineSplice, Placement, RefusedOperation, ResolvedOperation } from "./placing/placement.ts";
export { type PlaceOptions, resolveOperations } from "./placing/resolve-operations.ts";
export { range } from "./range.ts";
export {
  type AnswerContent,
  type AnswerPart,
  type AnswerReader,
  contentOf,
  readAnswer,
} from "./reading/answer-reader.ts";
export { type AnswerRow, RowCutter } from "./reading/answer-rows.ts";
export { type FencedCode, fencedCodeOf } from "./reading/code-fence.ts";
export { detectFormat, type FormatDetection } from "./reading/detect-format.ts";
export { isElision } from "./reading/is-elision.ts";
export { mentionedPaths } from "./reading/mentioned-paths.ts";
export { isNoChangeRow, noChangeRow } from "./reading/no-change-row.ts";
export type { EditTexts } from "./reading/parse-model-json.ts";
export { pathsInRow } from "./reading/path-row.ts";
export { tryReadPlainFile } from "./reading/plain-file.ts";
export { wordsOf } from "./reading/reads-as-words.ts";
export type { NearestLines, Normalization, NormalizationKind, Refusal, RefusalKind } from "./refusal.ts";
export { fenceFor, showFenced } from "./show-file.ts";
