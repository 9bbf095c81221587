import {
  detectIndentUnit,
  type IndentUnit,
  indentationWidth,
  languageById,
  plaintext,
  Structure,
} from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { blockDepth, columnsOf, indentation, indentOf, lineAbove, opensBlock, tabSize } from "./line-indentation.ts";

/**
 * `text` indented like the document it goes into: tabs or spaces as there, steps as wide as there,
 * its lines as far right as the line of the cursor. Where nothing in the document is indented near
 * the place, it stays as it is.
 *
 * Only white space at the start of lines changes, and nothing inside of strings. `text` has `\n`
 * only.
 */
export function fitIndentation(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "language">,
): string {
  const lines = text.split("\n");
  const unit = documentUnit(place);
  if (unit === undefined) return text;
  lines[0] = withoutSurplus(lines[0]!, place, unit);
  if (lines.length === 1) return lines[0];

  const size = columnsOf(unit);
  const isFixed = fixedLines(text, place);
  const own = detectIndentUnit(text);
  const ownTab = unit.kind === "spaces" ? unit.size : tabSize;
  const widths = lines.map((line) => indentationWidth(indentOf(line), own?.kind === "tab" ? ownTab : tabSize));
  const isBlank = place.lineBefore.trim() === "";
  const base = indentationWidth(indentOf(isBlank ? place.lineBefore + lines[0] : place.lineBefore), size);
  const rescaled = rescale(lines, widths, { base, size });
  const shift = shiftOf(lines, rescaled, base, isFixed);
  return lines
    .map((line, index) => {
      if (index === 0 || line.trim() === "" || isFixed[index]) return line;
      const width = Math.max(0, rescaled[index]! + shift);
      const before = indentOf(line);
      return (
        (width === widths[index] && isOfKind(before, unit) ? before : indentation(width, unit)) +
        line.slice(before.length)
      );
    })
    .join("\n");
}

/**
 * What a document indents with near a place, within 20,000 UTF-16 units on either side; `undefined`
 * where nothing is indented there.
 */
export function documentUnit({ prefix, suffix }: Pick<Place, "prefix" | "suffix">): IndentUnit | undefined {
  // The cursor's line counts too, though it may be blank so far.
  return detectIndentUnit(`${prefix.slice(-maxLooked)}x${suffix.slice(0, maxLooked)}`);
}

/** How much text on either side shows how a document is indented, in UTF-16 units. */
const maxLooked = 20_000;

/** A first line without the indentation that the cursor's line has already. */
function withoutSurplus(
  line: string,
  place: Pick<Place, "prefix" | "lineBefore" | "language">,
  unit: IndentUnit,
): string {
  const { lineBefore } = place;
  const lead = indentOf(line);
  if (lead === "" || lineBefore.trim() !== "" || lineBefore === "") return line;
  const size = columnsOf(unit);
  const missing = Math.max(0, blockDepth(place, unit).width - indentationWidth(lineBefore, size));
  const width = indentationWidth(lead, size);
  return (width > missing ? indentation(missing, unit) : lead) + line.slice(lead.length);
}

/**
 * The widths with the text's own steps behind a line that opens something made as wide as the
 * document's.
 */
function rescale(
  lines: readonly string[],
  widths: readonly number[],
  { base, size }: { readonly base: number; readonly size: number },
): readonly number[] {
  const steps = new Set<number>();
  for (const [index, line] of lines.entries()) {
    if (index === 0 || !/[{([:]\s*$/.test(lines[index - 1]!) || line.trim() === "") continue;
    const step = widths[index]! - (index === 1 ? base : widths[index - 1]!);
    if (step > 0) steps.add(step);
  }
  const [step] = steps;
  if (steps.size !== 1 || step === undefined || step === size) return widths;
  if (widths.some((width, index) => index > 0 && lines[index]!.trim() !== "" && (width - base) % step !== 0))
    return widths;
  return widths.map((width) => base + ((width - base) / step) * size);
}

/**
 * How far the lines stand left of where they belong: a model may forget where the cursor's line
 * begins.
 */
function shiftOf(
  lines: readonly string[],
  widths: readonly number[],
  base: number,
  isFixed: readonly boolean[],
): number {
  const last = lines.length - 1;
  if (isFixed[last] || !/[{([]\s*$/.test(lines[0]!) || !/^\s*[)\]}]/.test(lines[last]!)) return 0;
  const inner = widths.slice(1, last).filter((_, index) => lines[index + 1]!.trim() !== "");
  return inner.every((width) => width > widths[last]!) ? base - widths[last]! : 0;
}

/** Which lines begin inside of a string or a comment, where white space is text. */
function fixedLines(text: string, { prefix, language }: Pick<Place, "prefix" | "language">): boolean[] {
  const line = prefix.slice(Math.max(prefix.lastIndexOf("\n") + 1, prefix.length - 2000));
  const structure = Structure.of(line + text, languageById(language) ?? plaintext);
  let start = line.length;
  return text.split("\n").map((part) => {
    const region = structure.regionAt(start);
    const isFixed = region !== undefined && region.kind !== "text" && region.start < start && region.end > start;
    start += part.length + 1;
    return isFixed;
  });
}

function isOfKind(lead: string, unit: IndentUnit): boolean {
  return unit.kind === "tab" ? !lead.includes("    ") : !lead.includes("\t");
}

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
  if (languageById(language)?.quirks.emptyValues === true) return text;
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
