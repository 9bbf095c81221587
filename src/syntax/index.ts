export {
  allBlocks,
  type Block,
  type BlockKind,
  type BlockWhat,
  blockAt,
  enclosingBlocks,
  printBlock,
} from "./block.ts";
export { blocksOf } from "./blocks.ts";
export { type ClosingTag, tryClosingTag } from "./closing-tag.ts";
export type { GrammarSource } from "./grammars.ts";
export { detectIndentUnit, type IndentUnit, indentationAt, indentationWidth, indentText } from "./indentation.ts";
export { parseJsonWithComments } from "./json-with-comments.ts";
export { languageById, languageOf, plaintext, scriptKindOf } from "./language.ts";
export type { GrammarName, Language, Pair, Quirks, ScriptKind, StringRule } from "./languages.ts";
export { languages } from "./languages.ts";
export { nestingBound } from "./nesting.ts";
export { nearContext, type PlaceKind, placeKind, type TextBefore } from "./place-kind.ts";
export type { RegionKind } from "./scan-state.ts";
export type { ScriptGoal, ScriptParser, ScriptProblem } from "./script-errors.ts";
export { looksSecret } from "./secret-text.ts";
export type { SharedThread } from "./sliced-parse.ts";
export { type Bracket, type Region, Structure } from "./structure.ts";
export { createSyntax, type Syntax, type SyntaxOptions } from "./syntax.ts";
export { printSyntaxIssue, type SyntaxIssue } from "./syntax-issue.ts";
export type { SyntaxTree } from "./tree.ts";
