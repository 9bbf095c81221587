import { type Block, enclosingBlocks, languageById, plaintext, Structure } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { lastLineOf, widthOf } from "./line-indentation.ts";

/** How much is wanted at a place: the rest of its line; a statement; all that fills a block. */
export type Shape = "line" | "statement" | "block";

/**
 * The shape of a completion at a place.
 *
 * On a line with code: the rest of it, unless the line opens a block with nothing in it. On a blank
 * line: what fills the block, if it is empty; else a statement. `blocks` are those of the text
 * `prefix + suffix`, or of the part of it that begins at `from`; they are used only where brackets
 * and indentation do not decide.
 */
export function shapeOf(
  { prefix, suffix, lineBefore, rest, language }: Pick<Place, "prefix" | "suffix" | "lineBefore" | "rest" | "language">,
  blocks: () => { readonly blocks: readonly Block[]; readonly from: number } | undefined = () => undefined,
): Shape {
  if (rest.trim() !== "") return "line";
  const isBlank = lineBefore.trim() === "";
  const above = isBlank ? lastLine(prefix.slice(0, prefix.length - lineBefore.length)) : { text: lineBefore, start: 0 };
  if (above === undefined) return "statement";
  const below = firstLine(suffix.slice(rest.length));
  const isShut = below === undefined || widthOf(below.text) <= widthOf(above.text);
  if (isShut && opensBlock(above.text, language, isBlank)) return "block";
  // Behind a value only a comma can follow on the line; what is wanted is the member behind it.
  if (!isBlank && endsJsonValue({ prefix, lineBefore, language })) return "statement";
  if (!isBlank) return "line";
  if (!isShut || below === undefined || /^\s*[)\]}]/.test(below.text)) return "statement";
  const found = blocks();
  if (found === undefined) return "statement";
  const cursor = prefix.length - found.from;
  const inner = enclosingBlocks(found.blocks, cursor).at(-1);
  if (inner === undefined || inner.children.length > 0 || inner.range.start >= cursor) return "statement";
  const belowEnd = cursor + rest.length + below.start + below.text.length;
  const isAround =
    inner.range.start >= above.start - found.from && inner.range.end > cursor && inner.range.end <= belowEnd;
  return isAround ? "block" : "statement";
}

/**
 * Whether a line ends with what opens a block: a brace, a colon where indentation counts, and on
 * lines above any bracket.
 */
function opensBlock(line: string, language: string, isAbove: boolean): boolean {
  if (isAbove ? /[{([]\s*$/.test(line) : /\{\s*$/.test(line)) return true;
  return /:\s*$/.test(line) && languageById(language)?.indentationSensitive === true;
}

/** Whether a text of JSON ends with a value, and not with a key, a comma or an opening bracket. */
function endsJsonValue({ prefix, lineBefore, language }: Pick<Place, "prefix" | "lineBefore" | "language">): boolean {
  if (!isJson(language)) return false;
  const line = lineBefore.slice(-maxLine);
  if (endsValue.test(line)) return true;
  return endsString.test(line) && innermostOpener(prefix, language) === "[";
}

const endsValue = /(?:[\]}]|(?:^|[:,[])[ \t]*(?:-?\d[\d.eE+-]*|true|false|null)|:[ \t]*"(?:[^"\\]|\\.)*")[ \t]*$/;
const endsString = /(?:^|[,[])[ \t]*"(?:[^"\\]|\\.)*"[ \t]*$/;

/** The bracket that is open at the end of a text, of which only the end is looked at. */
function innermostOpener(prefix: string, language: string): string | undefined {
  const near = prefix.slice(-maxNear);
  return Structure.of(near, languageById(language) ?? plaintext)
    .openersBefore(near.length)
    .at(-1)?.text;
}

/** How much of the text and of the line before the cursor is looked at, in UTF-16 units. */
const maxNear = 20_000;
const maxLine = 2000;

interface FoundLine {
  readonly text: string;
  readonly start: number;
}

/** The last line of a text that is not blank. */
function lastLine(text: string): FoundLine | undefined {
  const end = text.trimEnd().length;
  if (end === 0) return undefined;
  const start = Math.max(text.lastIndexOf("\n", end - 1), text.lastIndexOf("\r", end - 1)) + 1;
  return { text: text.slice(start, end), start };
}

/** The first line of a text that is not blank. */
function firstLine(text: string): FoundLine | undefined {
  const code = text.search(/\S/);
  if (code < 0) return undefined;
  const start = code - lastLineOf(text.slice(0, code)).length;
  return { text: /^[^\r\n]*/.exec(text.slice(start))![0].trimEnd(), start };
}

/**
 * Whether a language is JSON, strict or with comments: its members stand in a list, and not in
 * statements.
 */
export function isJson(language: string): boolean {
  return languageById(language)?.json !== undefined;
}
