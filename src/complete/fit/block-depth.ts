import { type IndentUnit, indentationWidth, languageById } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { columnsOf, indentOf, lastLineOf } from "./line-indentation.ts";

/** The indentation of a blank line at the cursor. */
export interface BlockDepth {
  /** In columns. */
  readonly width: number;
  /** Whether the line above opens a block, so that what is written is the first in it. */
  readonly isFirst: boolean;
}

/** The indentation of the cursor's line by the line above. */
export function blockDepth(
  { prefix, lineBefore, language }: Pick<Place, "prefix" | "lineBefore" | "language">,
  unit: IndentUnit,
): BlockDepth {
  const above = lineAbove(prefix, lineBefore);
  const isFirst = opensBlock(above, language);
  const size = columnsOf(unit);
  return { width: indentationWidth(indentOf(above), size) + (isFirst ? size : 0), isFirst };
}

/** Whether a line ends with a bracket or a colon that opens a block. */
export function opensBlock(line: string, language: string): boolean {
  const last = line.trimEnd().at(-1) ?? "";
  if ("{([".includes(last) && last !== "") return true;
  return last === ":" && languageById(language)?.indentationSensitive === true;
}

/** The last line before the cursor's that is not blank. */
export function lineAbove(prefix: string, lineBefore: string): string {
  return lastLineOf(prefix.slice(0, prefix.length - lineBefore.length).trimEnd());
}
