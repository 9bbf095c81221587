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
  for (const { 0: piece, index: start } of text.matchAll(/[\p{L}\p{N}_$]+|[^\p{L}\p{N}_$\s]+/gu)) {
    const next = text.slice(0, start + piece.length);
    // A bar between blanks would be taken for the one between two openings; a row can hold no `\r` of its own.
    if (opening !== "" && / \|(?: |$)|[^\S ]/.test(next.slice(opening.length))) break;
    opening = next;
    if (opening.length > longest) return opening.replace(longestPrefix, "$1");
    if (/[\p{L}\p{N}_$]/u.test(piece) && !others.some((other) => other.startsWith(opening))) break;
  }
  return opening;
}

/** How many lines to each side an opening has to tell its line from. */
const reach = 8;
/** How many code units of a line are enough, even where its neighbours begin alike. */
const longest = 24;
const longestPrefix = new RegExp(`^(.{1,${longest}})[^]*$`, "u");
