import { farthestShift } from "./place-lines.ts";

/**
 * The first words of a line, without its indentation: as few as tell it from the lines around it, a whole word at least.
 *
 * Empty for a blank line. Where neighbours are the same, the first few words. Holds no ` | `, which parts two openings.
 */
export function lineOpening(lines: readonly string[], index: number): string {
  const text = lines[index]!.trim();
  const others = lines
    .slice(Math.max(0, index - reach), index + reach + 1)
    .filter((_, i) => i !== index - Math.max(0, index - reach))
    .map((line) => line.trim());
  let opening = "";
  let hasWord = false;
  for (const { 0: piece, index: start } of text.matchAll(/[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$\s]+/gu)) {
    const next = text.slice(0, start + piece.length);
    // A bar between blanks would be taken for the one between two openings; of blanks, only plain ones are sure to stay.
    if (opening !== "" && / \|(?: |$)|[^\S ]/.test(next.slice(opening.length))) break;
    if (hasWord && next.length > enough) break;
    opening = next;
    hasWord ||= /[\p{L}\p{N}_$]/u.test(piece);
    if (hasWord && !others.some((other) => other.startsWith(opening))) break;
  }
  return opening.replace(longestPrefix, "$1");
}

/** How many lines to each side an opening has to tell its line from: all that a place may be moved to. */
const reach = farthestShift;
/** How many code units are enough, even where the lines around begin alike. */
const enough = 24;
/** A single word is cut where it has more code units than this. */
const longestPrefix = /^(.{1,60}).*$/su;
