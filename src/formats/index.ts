export { type AnswerContent, type AnswerPart, type AnswerReader, contentOf, readAnswer } from "./answer-reader.ts";
export type {
  Ask,
  BlockAsk,
  CreateAsk,
  ElidedAsk,
  LinesAsk,
  MoveAsk,
  RemoveAsk,
  StringAsk,
  WholeAsk,
  Witness,
} from "./ask.ts";
export { chooseFormat, type FormatChoice, type FormatQuestion } from "./choose-format.ts";
export { detectFormat, type FormatDetection } from "./detect-format.ts";
export { type DriftMap, driftMap } from "./drift-map.ts";
export type { EditFormat, FormatName, ReadOptions, ShownFile } from "./edit-format.ts";
export { fileLines } from "./file-lines.ts";
export { formatNamed, formats } from "./formats.ts";
export { isElision } from "./is-elision.ts";
export { type EndedLine, LineTable } from "./line-table.ts";
export { isNoChangeRow, noChangeRow } from "./no-change-row.ts";
export { numbered } from "./numbered.ts";
export { type PlaceOptions, placeAsks } from "./place-asks.ts";
export type { LineSplice, PlacedAsk, Placement, RefusedAsk } from "./placement.ts";
export { tryReadPlainFile } from "./plain-file.ts";
export { range } from "./range.ts";
export type { Lenience, LenienceKind, NearestLines, Refusal, RefusalKind } from "./refusal.ts";
export {
  closesFence,
  type Fence,
  fenceFor,
  showFenced,
  showNumbered,
  tryReadFence,
} from "./show-file.ts";
export { Thoughts, withoutThoughts } from "./thoughts.ts";
export { whole } from "./whole.ts";
export { wordsOf } from "./words-of.ts";
