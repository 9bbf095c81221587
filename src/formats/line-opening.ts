import { withFoldedBlanks } from "./line-keys.ts";
import { farthestShift } from "./place-lines.ts";

/**
 * The first words of a line, without its indentation: as few as tell it from the lines around it, a whole word at least.
 *
 * Empty for a blank line. What no beginning tells from a neighbour, such as its like, is told from all others. Holds no
 * ` | `, which parts two openings.
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

/** What a line can be said to begin with, from its first word on and one word longer each. */
function openingsOf(text: string): readonly string[] {
  const openings: string[] = [];
  for (const { 0: piece, index: start } of text.matchAll(/[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$\s]+/gu)) {
    const last = openings.at(-1);
    const next = text.slice(0, start + piece.length);
    // A bar between blanks would be taken for the one between two openings; of blanks, only plain ones are sure to stay.
    if (last !== undefined && (next.length > longest || / \|(?: |$)|[^\S ]/.test(next.slice(last.length)))) break;
    openings.push(next.replace(longestPrefix, "$1"));
  }
  // Of a line without a word, all of it.
  return openings.slice(openings.findIndex((opening) => /[\p{L}\p{N}_$]/u.test(opening)));
}

/** How many lines to each side an opening has to tell its line from: all that a place may be moved to. */
const reach = farthestShift;
/** How many code units an opening has at most, so that a long line is not said again for the sake of its last word. */
const longest = 80;
/** A single word is cut where it is longer than that. */
const longestPrefix = /^(.{1,80}).*$/su;
