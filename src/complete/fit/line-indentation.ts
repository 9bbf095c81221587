import { type IndentUnit, indentationWidth, indentText, languageById } from "../../syntax/index.ts";
import type { Place } from "../place.ts";

/** How many columns a tab is taken for where something is measured in columns. */
export const tabSize = 4;

/** The tabs and blanks that a line begins with. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)![0];
}

/** The text behind the last line ending; all of it where there is none. */
export function lastLineOf(text: string): string {
  return text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1);
}

/**
 * How far a line is indented, in columns, with a tab as four: enough where lines are only compared.
 */
export function widthOf(line: string): number {
  return indentationWidth(indentOf(line), tabSize);
}

/** How many columns one step of indentation takes; a tab takes four. */
export function columnsOf(unit: IndentUnit): number {
  return unit.kind === "tab" ? tabSize : unit.size;
}

/**
 * White space of `width` columns: spaces, or as many tabs of four columns as fit and spaces behind
 * them.
 */
export function indentation(width: number, unit: IndentUnit): string {
  if (unit.kind === "spaces") return " ".repeat(width);
  return indentText(unit).repeat(Math.floor(width / tabSize)) + " ".repeat(width % tabSize);
}

/** The indentation of a blank line at the cursor. */
export interface BlockDepth {
  /** In columns. */
  readonly width: number;
  /** Whether the line above opens a block, so that what is written is the first in it. */
  readonly isFirst: boolean;
}

/**
 * The indentation that the cursor's line should have: that of the last line above that is not
 * blank, and one `unit` more if that line opens a block.
 */
export function blockDepth(
  { prefix, lineBefore, language }: Pick<Place, "prefix" | "lineBefore" | "language">,
  unit: IndentUnit,
): BlockDepth {
  const above = lineAbove(prefix, lineBefore);
  const isFirst = opensBlock(above, language);
  const size = columnsOf(unit);
  return { width: indentationWidth(indentOf(above), size) + (isFirst ? size : 0), isFirst };
}

/**
 * Whether a line ends with an opening bracket or, in a language where indentation counts, with a
 * colon. White space at its end does not count; `language` is an id of the registry.
 */
export function opensBlock(line: string, language: string): boolean {
  const last = line.trimEnd().at(-1) ?? "";
  if ("{([".includes(last) && last !== "") return true;
  return last === ":" && languageById(language)?.indentationSensitive === true;
}

/**
 * The last line above the cursor's that is not blank, without white space at its end; empty where
 * there is none. `lineBefore` is the end of `prefix` on the cursor's line.
 */
export function lineAbove(prefix: string, lineBefore: string): string {
  return lastLineOf(prefix.slice(0, prefix.length - lineBefore.length).trimEnd());
}
