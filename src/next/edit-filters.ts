import { type Block, blocksOf, type SyntaxTree } from "../syntax/index.ts";
import { type Edit, minimalEdit, type TextRange } from "../text/index.ts";

/** Which edits are held back whatever they are for. */
export interface EditFilterOptions {
  /**
   * Whether changes of nothing but white space are held back. They are unless told otherwise: a formatter makes them better, and people complain of
   * the Tab key that accepts a far indentation while they indent.
   */
  readonly holdsWhiteSpace?: boolean;
  /**
   * Whether changes of nothing but imports are held back. They are not unless told: a missing import is among the edits that follow from a change, and
   * what a model guessed is checked like any other edit. The peer (microsoft/vscode-copilot-chat) drops every edit that has an import in it.
   */
  readonly holdsImports?: boolean;
  /** The most lines, before or after, whichever are more; 40 unless told, which is what a window shows without scrolling. 1 lets only changes within a line pass. */
  readonly maxLines?: number;
  /** What a model says to a machine and never to a person; {@link modelMarks} unless told. */
  readonly marks?: readonly RegExp[];
}

/** Why an edit is held back. */
export type EditRefusal =
  /** The text is the same with it. */
  | { readonly kind: "nothing-changes" }
  | { readonly kind: "white-space-only" }
  | { readonly kind: "import-only" }
  | { readonly kind: "too-many-lines"; readonly lines: number }
  /** It writes a mark of a prompt, an answer or a merge into a file that has none such. */
  | { readonly kind: "special-mark"; readonly mark: string }
  /** It writes half a character, or one that nobody sees and that steers what is seen, into a file that has none such. `code` is as in `U+001B`. */
  | { readonly kind: "control-character"; readonly code: string };

/** An edit to be judged. */
export interface EditToFilter {
  readonly text: string;
  readonly edit: Edit;
  /** The trees of the text before and after; without them no edit is known to be of imports only. */
  readonly trees?: { readonly before: SyntaxTree; readonly after: SyntaxTree };
}

/** Tokens between bars, tags of next-edit answers, tokens around holes, and the marks of a merge conflict. */
export const modelMarks: readonly RegExp[] = [
  /<[|｜]\/?[\p{L}\p{N}▁_.:/-]{1,40}[|｜]>/u,
  /<\/?(?:EDIT|INSERT|NO_CHANGE)>/,
  /<(?:fim_(?:prefix|suffix|middle|pad)|PRE|SUF|MID|EOT)>/,
  /^(?:<{7}|={7}|>{7}|\|{7})(?=\s|$)/m,
];

/** Why an edit is held back, or `undefined` when nothing speaks against it. */
export function editRefusal(
  { text, edit, trees }: EditToFilter,
  options: EditFilterOptions = {},
): EditRefusal | undefined {
  const { holdsWhiteSpace = true, holdsImports = false, maxLines = 40, marks = modelMarks } = options;
  const after = edit.apply(text);
  if (after === text) return { kind: "nothing-changes" };
  const least = minimalEdit(text, after, { unit: "line" });
  const changed = least.edits.map((part) => ({ old: text.slice(part.start, part.end), fresh: part.text }));

  for (const mark of marks) {
    const said = changed.map(({ fresh }) => mark.exec(fresh)?.[0]).find((found) => found !== undefined);
    if (said !== undefined && !text.includes(said)) return { kind: "special-mark", mark: said };
  }
  const written = changed.flatMap(({ fresh }) => fresh.match(controlCharacters) ?? []);
  // Of a pair the file may have either half: it is not searched for the half itself.
  const known = new Set(written.length === 0 ? [] : text.match(controlCharacters));
  const strange = written.find((one) => !known.has(one));
  if (strange !== undefined) return { kind: "control-character", code: codeOf(strange) };
  const lines = Math.max(
    sum(changed.map(({ old }) => countLines(old))),
    sum(changed.map(({ fresh }) => countLines(fresh))),
  );
  if (lines > maxLines) return { kind: "too-many-lines", lines };
  const isBlank = changed.every(({ old, fresh }) => wordsAndSigns(old) === wordsAndSigns(fresh));
  if (isBlank) return holdsWhiteSpace ? { kind: "white-space-only" } : undefined;
  if (holdsImports && trees !== undefined && isImportOnly(text, after, least, trees)) return { kind: "import-only" };
  return undefined;
}

/** Halves of surrogate pairs, control characters but tabs and line endings, and those that turn the direction of text. */
const controlCharacters = /\p{Cs}|(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu;

function codeOf(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

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

/** Where the imports of a text stand, in its order. */
function importsOf(tree: SyntaxTree): readonly TextRange[] {
  const found = (blocks: readonly Block[]): readonly TextRange[] =>
    blocks.flatMap((block) => (block.what === "import" ? [block.range] : found(block.children)));
  return [...found(blocksOf(tree))].sort((one, other) => one.start - other.start);
}

/** A range without the blanks at its ends. */
function trimmed(text: string, { start, end }: TextRange): TextRange {
  const said = text.slice(start, end);
  const front = said.length - said.trimStart().length;
  return { start: start + front, end: Math.max(start + front, start + said.trimEnd().length) };
}

/** What is left of a text without its blanks, where words stay apart. */
function wordsAndSigns(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}_$]+|\S/gu) ?? []).join(" ");
}

function countLines(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
