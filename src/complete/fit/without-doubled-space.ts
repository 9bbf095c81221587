import { languageById, nearContext, plaintext, Structure } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { lineAbove, opensBlock } from "./block-depth.ts";
import { documentUnit } from "./fit-indentation.ts";

/**
 * `text` without the blank it starts with, where there is a blank before the cursor already; else
 * as it is.
 *
 * Many tokenizers put a blank in front of every word, so a model repeats the one that was typed.
 * Several blanks behind a word, or in front of a sign, align columns, and stay. Blanks behind
 * nothing but indentation are indentation and stay too, with one exception: one blank at the start
 * of a line of code or prose, which indents nothing. Inside a string or a comment it may be part of
 * the text, as in front of the `*` of a block comment's lines.
 */
export function withoutDoubledSpace(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
): string {
  const { lineBefore } = place;
  if (lineBefore.trim() !== "") {
    const before = /([^ \t])[ \t]$/.exec(lineBefore)?.[1];
    if (before === undefined) return text;
    const single = text.replace(/^ (?![ \t])/, "");
    return isWord.test(before) ? single : single.replace(/^[ \t]+(?=[\p{L}\p{N}_$"'`([{<])/u, "");
  }
  const isLoneBlank = lineBefore === "" && /^ (?=\S)/.test(text);
  return isLoneBlank && !mayIndent(place) && !isInLiteral(place) ? text.slice(1) : text;
}

const isWord = /[\p{L}\p{N}_$]/u;

/**
 * Whether one blank may be the indentation of a block, which nothing else in the document tells.
 */
function mayIndent(place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">): boolean {
  const { prefix, lineBefore, language } = place;
  if (!opensBlock(lineAbove(prefix, lineBefore), language)) return false;
  return language === "yaml" || documentUnit(place) === undefined;
}

/** Whether the place lies inside a string or a comment. */
function isInLiteral(place: Pick<Place, "prefix" | "language">): boolean {
  const context = nearContext(place);
  const region = Structure.of(context, languageById(place.language) ?? plaintext).regionAt(context.length);
  return region !== undefined && region.kind !== "text";
}
