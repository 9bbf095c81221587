import { indentationWidth, languageById, plaintext, Structure } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { blockDepth, lineAbove, opensBlock } from "./block-depth.ts";
import { documentUnit, fixedLines } from "./fit-indentation.ts";
import { columnsOf, indentation, indentOf } from "./line-indentation.ts";

/**
 * `text` with the indentation of the block at the place, if it counts its indentation from zero, as
 * if the block were the whole file; else as it is.
 *
 * It shows that by its first line, where that is the first of a block and no deeper than the line
 * that opens it; or by its second, where the first opens something and the second is not deeper
 * than the cursor's line. What closes brackets of the document stays where it is, and all behind
 * it. `text` has `\n` only and may still be coming.
 */
export function countFromBlock(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
): string {
  const { prefix, lineBefore, language } = place;
  // A key may have no value there, so that nothing has to be deeper than it.
  if (language === "yaml") return text;
  const isBlank = lineBefore.trim() === "";
  const lines = text.split("\n");
  const first = isBlank ? lines.findIndex((line) => line.trim() !== "") : 0;
  const line = lines[first];
  if (line === undefined) return text;
  const isFlush = isBlank && indentOf(line) === "" && !staysOut.test(line);
  const mayBegin = isFlush && opensBlock(lineAbove(prefix, lineBefore), language);
  const mayOpen = first < lines.length - 1 && opensBlock(line.trim() === "" ? lineBefore : line, language);
  if (!mayBegin && !mayOpen) return text;
  const fixed = fixedLines(text, place);
  const next = lines.find((other, index) => index > first && other.trim() !== "" && !fixed[index]);
  const lead = indentOf(isBlank ? lineBefore + line : lineBefore);
  const isDeeper = next === undefined || (indentOf(next) !== lead && next.startsWith(lead));
  if (!mayBegin && isDeeper) return text;
  const unit = documentUnit(place);
  if (unit === undefined) return text;

  const size = columnsOf(unit);
  const own = indentationWidth(lead, size);
  const depth = mayBegin ? Math.max(own, blockDepth(place, unit).width) : own;
  const isMoved = depth > own;
  if (!isMoved && !mayOpen) return text;
  const moved = [...lines];
  if (isMoved) moved[first] = indentation(depth - own, unit) + line;
  if (next === undefined) return moved.join("\n");
  const width = indentationWidth(indentOf(next), size);
  const isShallow = staysOut.test(next) || !mayOpen ? width < depth : width <= depth;
  if (depth === 0 || !isShallow) return moved.join("\n");
  const end = foreignCloser(text, language);
  const pad = indentation(depth, unit);
  let start = 0;
  for (const [index, other] of lines.entries()) {
    const code = start + indentOf(other).length;
    start += other.length + 1;
    if (index > first && other.trim() !== "" && !fixed[index] && code < end) moved[index] = pad + other;
  }
  return moved.join("\n");
}

/** What may stand no deeper than the line that opens the block around it. */
const staysOut = /^\s*(?:[)\]}#]|(?:case|default|public|private|protected)\b)/;

/** Where a text first closes a bracket that it did not open. */
function foreignCloser(text: string, language: string): number {
  const { brackets } = Structure.of(text, languageById(language) ?? plaintext);
  const closer = brackets.find(({ partner, text: bracket }) => partner === undefined && /[)\]}]/.test(bracket));
  return closer?.offset ?? text.length;
}
