import { withFoldedBlanks } from "../placing/line-keys.ts";
import { farthestShift } from "../placing/place-lines.ts";

/**
 * The opening of a line without its indentation: the fewest words, at least one, that distinguish
 * it from the eight lines on each side.
 *
 * Empty for a blank line. If a neighbour has the same beginning throughout, the opening
 * distinguishes the line from the others. It contains no ` | `, which separates two openings, and
 * at most 80 UTF-16 code units.
 */
export function lineOpening(lines: readonly string[], index: number): string {
  const from = Math.max(0, index - reach);
  const others = lines
    .slice(from, index + reach + 1)
    .toSpliced(index - from, 1)
    .map((line) => withFoldedBlanks(line.trim()));
  const likes = (opening: string) => others.filter((line) => line.startsWith(withFoldedBlanks(opening))).length;
  const openings = openingsOf(lines[index]!.trim());
  const fewest = likes(openings.at(-1) ?? "");
  return openings.find((opening) => likes(opening) === fewest) ?? "";
}

/** The candidate openings of a line: its first word, and one word more each. */
function openingsOf(text: string): readonly string[] {
  const openings: string[] = [];
  for (const { 0: piece, index: start } of text.matchAll(/[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$\s]+/gu)) {
    const last = openings.at(-1);
    const next = text.slice(0, start + piece.length);
    // A bar between blanks would be read as the separator of two openings; only plain blanks are
    // copied reliably.
    if (last !== undefined && (next.length > longest || / \|(?: |$)|[^\S ]/.test(next.slice(last.length)))) break;
    openings.push(next.replace(longestPrefix, "$1"));
  }
  // A line without a word keeps its longest candidate only.
  return openings.slice(openings.findIndex((opening) => /[\p{L}\p{N}_$]/u.test(opening)));
}

/**
 * The lines on each side that an opening must differ from: the range by which a place may be moved.
 */
const reach = farthestShift;
/**
 * The most UTF-16 code units of an opening, so that a long line is not repeated because of its last
 * word.
 */
const longest = 80;
/** Cuts a single word that is longer than that. */
const longestPrefix = /^(.{1,80}).*$/su;
