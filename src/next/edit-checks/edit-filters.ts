import { type Block, blocksOf, type SyntaxTree } from "../../syntax/index.ts";
import { codePointName, type Edit, minimalEdit, type TextRange } from "../../text/index.ts";

/** Options of {@link editRefusal}. */
export interface EditFilterOptions {
  /**
   * Whether edits of white space only are suggested. Default `false`: a formatter does them better,
   * and users complain when the Tab key accepts a distant indentation while they indent.
   */
  readonly whiteSpace?: boolean;
  /**
   * Whether edits of imports only are suggested. Default `true`: a missing import often follows
   * from a change, and a model's guess is checked like any other edit.
   * microsoft/vscode-copilot-chat drops every edit that contains an import.
   */
  readonly imports?: boolean;
  /**
   * The most lines before or after the edit, whichever are more; default 40, which a window shows
   * without scrolling. 1 accepts only changes within a line.
   */
  readonly maxLines?: number;
  /**
   * Patterns of special tokens and markers that must not be inserted; default {@link modelMarks}.
   */
  readonly marks?: readonly RegExp[];
}

/** Why an edit is filtered out. */
export type EditRefusal =
  /** The edit does not change the text. */
  | { readonly kind: "nothing-changes" }
  | { readonly kind: "white-space-only" }
  | { readonly kind: "import-only" }
  | { readonly kind: "too-many-lines"; readonly lines: number }
  /** It inserts a special token of models or a conflict marker into a file that contains none. */
  | { readonly kind: "special-mark"; readonly mark: string }
  /**
   * It inserts a lone surrogate, a control character or a bidirectional control into a file that
   * does not contain it. `code` is as in `U+001B`.
   */
  | { readonly kind: "control-character"; readonly code: string };

/** An edit to be checked, and its text. */
interface EditToFilter {
  readonly text: string;
  readonly edit: Edit;
  /** The syntax trees before and after the edit. Without them no edit counts as imports only. */
  readonly trees?: { readonly before: SyntaxTree; readonly after: SyntaxTree };
}

/**
 * Tokens between bars, tags of next-edit answers, fill-in-the-middle tokens, and conflict markers.
 */
export const modelMarks: readonly RegExp[] = [
  /<[|｜]\/?[\p{L}\p{N}▁_.:/-]{1,40}[|｜]>/u,
  /<\/?(?:EDIT|INSERT|NO_CHANGE)>/,
  /<(?:fim_(?:prefix|suffix|middle|pad)|PRE|SUF|MID|EOT)>/,
  /^(?:<{7}|={7}|>{7}|\|{7})(?=\s|$)/m,
];

/**
 * Returns the first reason why an edit is filtered out, or `undefined` where it passes. Only the
 * lines count that it really changes; without syntax trees no edit counts as imports only.
 */
export function editRefusal(
  { text, edit, trees }: EditToFilter,
  options: EditFilterOptions = {},
): EditRefusal | undefined {
  const { whiteSpace = false, imports = true, maxLines = 40, marks = modelMarks } = options;
  const after = edit.apply(text);
  if (after === text) return { kind: "nothing-changes" };
  const least = minimalEdit(text, after, { unit: "line" });
  const changed = least.edits.map((part) => ({ old: text.slice(part.start, part.end), fresh: part.text }));

  for (const mark of marks) {
    const inserted = changed.map(({ fresh }) => mark.exec(fresh)?.[0]).find((found) => found !== undefined);
    if (inserted !== undefined && !text.includes(inserted)) return { kind: "special-mark", mark: inserted };
  }
  const written = changed.flatMap(({ fresh }) => fresh.match(controlCharacters) ?? []);
  // The file may contain either half in a surrogate pair, so a search for the half would find it.
  const known = new Set(written.length === 0 ? [] : text.match(controlCharacters));
  const unknown = written.find((one) => !known.has(one));
  if (unknown !== undefined) return { kind: "control-character", code: codePointName(unknown) };
  const lines = Math.max(
    sum(changed.map(({ old }) => countLines(old))),
    sum(changed.map(({ fresh }) => countLines(fresh))),
  );
  if (lines > maxLines) return { kind: "too-many-lines", lines };
  const isBlank = changed.every(({ old, fresh }) => wordsAndSigns(old) === wordsAndSigns(fresh));
  if (isBlank) return whiteSpace ? undefined : { kind: "white-space-only" };
  if (!imports && trees !== undefined && isImportOnly(text, after, least, trees)) return { kind: "import-only" };
  return undefined;
}

/** Lone surrogates, control characters except tabs and line endings, and bidirectional controls. */
const controlCharacters = /\p{Cs}|(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

function isImportOnly(text: string, after: string, edit: Edit, trees: NonNullable<EditToFilter["trees"]>): boolean {
  const isIn = (source: string, ranges: readonly TextRange[], imports: readonly TextRange[]) =>
    ranges.every((range) => {
      const { start, end } = trimmed(source, range);
      let at = start;
      for (const block of imports) {
        const isNext = block.start <= at || source.slice(at, block.start).trim() === "";
        if (isNext && block.end > at) at = block.end;
      }
      return at >= end;
    });
  return isIn(text, edit.edits, importsOf(trees.before)) && isIn(after, edit.rangesAfter(), importsOf(trees.after));
}

/** The ranges of the imports of a text, in order. */
function importsOf(tree: SyntaxTree): readonly TextRange[] {
  const found = (blocks: readonly Block[]): readonly TextRange[] =>
    blocks.flatMap((block) => (block.what === "import" ? [block.range] : found(block.children)));
  return [...found(blocksOf(tree))].sort((one, other) => one.start - other.start);
}

/** A range without the white space at its ends. */
function trimmed(text: string, { start, end }: TextRange): TextRange {
  const content = text.slice(start, end);
  const front = content.length - content.trimStart().length;
  return { start: start + front, end: Math.max(start + front, start + content.trimEnd().length) };
}

/** The words and punctuation of a text, separated by one space each. */
function wordsAndSigns(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}_$]+|\S/gu) ?? []).join(" ");
}

function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
