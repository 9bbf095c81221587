import {
  detectIndentUnit,
  type IndentUnit,
  indentationWidth,
  languageById,
  plaintext,
  Structure,
} from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { blockDepth } from "./block-depth.ts";
import { columnsOf, indentation, indentOf, tabSize } from "./line-indentation.ts";

/**
 * `text` indented like the document it goes into: tabs or blanks as there, steps as wide as there,
 * its lines as far right as the line of the cursor.
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

/** What a document indents with at a place; `undefined` where nothing is indented there. */
export function documentUnit({ prefix, suffix }: Pick<Place, "prefix" | "suffix">): IndentUnit | undefined {
  // The cursor's line counts too, though it may be blank so far.
  return detectIndentUnit(`${prefix.slice(-maxLooked)}x${suffix.slice(0, maxLooked)}`);
}

/** How much text on either side tells how a document is indented, in UTF-16 units. */
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
export function fixedLines(text: string, { prefix, language }: Pick<Place, "prefix" | "language">): boolean[] {
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
