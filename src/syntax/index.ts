export {
  type BlockWhat,
  type GrammarName,
  hasScripts,
  type Language,
  languageById,
  languageOf,
  languages,
  type Pair,
  plaintext,
  type Quirks,
  type ScriptKind,
  type StringRule,
  scriptKindOf,
} from "../languages/index.ts";
export { allBlocks, type Block, type BlockKind, enclosingBlocks } from "./block.ts";
export { blocksInSlices, blocksOf } from "./blocks.ts";
export { type ClosingTag, tryClosingTag } from "./closing-tag.ts";
export {
  addedSyntaxErrors,
  type CheckedDocument,
  describeUncheckedSyntax,
  type EditedDocument,
  EditedSyntaxErrors,
  type UncheckedSyntax,
} from "./edited-errors.ts";
export type { GrammarSource } from "./grammars.ts";
export {
  detectIndentUnit,
  type IndentUnit,
  indentationAt,
  indentationWidth,
  indentLength,
  indentText,
} from "./indentation.ts";
export { parseJsonWithComments } from "./json-with-comments.ts";
export { holdsToken } from "./known-tokens.ts";
export type { LastTree } from "./last-tree.ts";
export { nestingBound } from "./nesting.ts";
export { nearContext, type PlaceKind, placeKind, type TextBefore } from "./place-kind.ts";
export { childIn, childOf, type PlainNode, plainTree, plainTreeInSlices } from "./plain-tree.ts";
export type { RegionKind } from "./scan-state.ts";
export type { ScriptGoal, ScriptParser } from "./script-errors.ts";
export { scriptSourceOf } from "./script-errors.ts";
export { looksSecret } from "./secret-text.ts";
export type { SharedThread } from "./sliced-parse.ts";
export { type Bracket, type Region, Structure } from "./structure.ts";
export { createSyntax, type Syntax, type SyntaxErrorOptions, type SyntaxOptions } from "./syntax.ts";
export type { SyntaxDiagnostic } from "./syntax-diagnostic.ts";
export { SyntaxErrorCache } from "./syntax-error-cache.ts";
export type { SyntaxTree } from "./tree.ts";
