/**
 * Wraps comments at 100 columns. Lines that cannot be broken stay: links, tables, code fences, and
 * comments of tools such as `biome-ignore`.
 */

import { type Comment, parseSync } from "oxc-parser";

/** The last column of a comment, its indentation included. */
export const maxColumns = 100;

/** A text whose comments are wrapped, and the lines that are too long in it before and after. */
export interface WrappedComments {
  readonly text: string;
  /** Lines of comments beyond {@link maxColumns} in the given text, from 1. */
  readonly longLines: readonly number[];
}

/** A piece of a text, `end` excluded, with what is in its place. */
interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Wraps the comments of a source text that have a line beyond {@link maxColumns}. */
export function wrapComments(path: string, text: string): WrappedComments {
  const replacements: Replacement[] = [];
  const longLines: number[] = [];
  for (const block of commentBlocks(text, parseSync(path, text).comments)) {
    const wrapped = wrapBlock(text, block);
    if (wrapped === undefined || wrapped.text === text.slice(wrapped.start, wrapped.end)) continue;
    replacements.push(wrapped);
    longLines.push(text.slice(0, wrapped.start).split("\n").length);
  }
  let result = text;
  for (const { start, end, text: wrapped } of replacements.reverse())
    result = result.slice(0, start) + wrapped + result.slice(end);
  return { text: result, longLines };
}

/** Comments that are wrapped together: a block comment, or line comments on lines of their own. */
interface CommentBlock {
  readonly isBlock: boolean;
  readonly start: number;
  readonly end: number;
  /** The columns in front of it, or `undefined` where code is there. */
  readonly indentation: string | undefined;
}

function commentBlocks(text: string, comments: readonly Comment[]): readonly CommentBlock[] {
  const blocks: CommentBlock[] = [];
  for (const { type, start, end } of comments) {
    const before = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
    const indentation = before.trim() === "" ? before : undefined;
    const last = blocks.at(-1);
    const continues =
      type === "Line" &&
      last?.isBlock === false &&
      indentation !== undefined &&
      last.indentation === indentation &&
      text.slice(last.end, start) === `\n${indentation}`;
    if (continues) blocks[blocks.length - 1] = { ...last, end };
    else blocks.push({ isBlock: type === "Block", start, end, indentation });
  }
  return blocks;
}

const isForTool = /^\/[/*]\s*(?:biome-|@ts-|#region|#endregion|eslint|c8 |v8 )/;

function wrapBlock(text: string, { isBlock, start, end, indentation }: CommentBlock): Replacement | undefined {
  const source = text.slice(start, end);
  if (isForTool.test(source)) return undefined;
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const lines = text.slice(first, end).split("\n");
  if (lines.every((line) => line.length <= maxColumns)) return undefined;
  if (indentation === undefined) return isBlock ? undefined : moveAbove(text, { start, end });
  if (!isBlock) {
    const content = source.split("\n").map((line) => line.trim().replace(/^\/\/ ?/, ""));
    const wrapped = wrapLines(content, maxColumns - indentation.length - 3);
    return { start, end, text: wrapped.map((line) => `// ${line}`.trimEnd()).join(`\n${indentation}`) };
  }
  const opening = /^\/\*+/.exec(source)![0];
  const content = source.slice(opening.length, -2).split("\n");
  const trimmed = content.map((line, at) => (at === 0 ? line.trim() : line.trim().replace(/^\* ?/, "")));
  while (trimmed[0] === "") trimmed.shift();
  while (trimmed.at(-1) === "") trimmed.pop();
  const wrapped = wrapLines(trimmed, maxColumns - indentation.length - 3);
  const inner = wrapped.map((line) => `\n${indentation} * ${line}`.trimEnd()).join("");
  return { start, end, text: `${opening}${inner}\n${indentation} */` };
}

/** A comment at the end of a line of code continues a line above it. */
function moveAbove(text: string, { start, end }: Pick<CommentBlock, "start" | "end">): Replacement | undefined {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const code = text.slice(first, start);
  const indentation = /^\s*/.exec(code)![0];
  const words = text.slice(start, end).replace(/^\/\/\s?/, "");
  if (/https?:/.test(words)) return undefined;
  const wrapped = wrapLines([words], maxColumns - indentation.length - 3);
  const above = wrapped.map((line) => `${indentation}// ${line}\n`).join("");
  return { start: first, end, text: `${above}${code.trimEnd()}` };
}

const beginsItem = /^(?:[-*] |\d+\. |@\w+|\||#{1,6} |>)/;

function wrapLines(lines: readonly string[], width: number): readonly string[] {
  const wrapped: string[] = [];
  let paragraph: string[] = [];
  let isFenced = false;
  const flush = () => {
    wrapped.push(...wrapParagraph(paragraph, width));
    paragraph = [];
  };
  for (const line of lines) {
    const isFence = line.trimStart().startsWith("```");
    if (isFence || isFenced || line.trim() === "" || /^\s{3,}|^\s*\|/.test(line)) {
      flush();
      wrapped.push(line);
      if (isFence) isFenced = !isFenced;
      continue;
    }
    if (beginsItem.test(line.trim())) flush();
    paragraph.push(line);
  }
  flush();
  return wrapped;
}

/** Breaks a paragraph where one of its lines is too long; one that fits keeps its breaks. */
function wrapParagraph(lines: readonly string[], width: number): readonly string[] {
  if (lines.every((line) => line.length <= width)) return lines;
  const item = /^(\s*)((?:[-*] |\d+\. )?)/.exec(lines[0]!)!;
  const hanging = `${item[1]}${" ".repeat(item[2]!.length)}`;
  const rows: string[] = [];
  let row = item[1]!;
  for (const word of unbreakableWords(lines.map((line) => line.trim()).join(" "))) {
    if (row.trim() !== "" && row.length + 1 + word.length > width) {
      rows.push(row);
      row = hanging;
    }
    row += row.trim() === "" ? word : ` ${word}`;
  }
  return [...rows, row];
}

/** Words of a text; code in backticks and links in braces are one word each. */
function unbreakableWords(text: string): readonly string[] {
  return text.match(/(?:`[^`]*`|\{@link [^}]*\}|\S)+/g) ?? [];
}
