import { BeginningFilter } from "./stream-filter.ts";

/**
 * Removes the repeated context at the beginning of an answer: the last lines of `prefix`, of which
 * the first may lack its indentation. A repetition counts from three characters without white space
 * at its ends up to 40 lines and 20,000 UTF-16 units.
 *
 * With `wholeLines`, the last line counts only together with a distinctive line above it, since the
 * last line alone may be what the text begins with.
 */
export function repeatedPrefixFilter(
  prefix: string,
  { wholeLines = false }: { readonly wholeLines?: boolean } = {},
): BeginningFilter {
  const ends = lastLines(prefix);
  return new BeginningFilter("repetition", (answer, isWhole) => {
    let longest = 0;
    for (const end of ends) {
      const isRepeated = answer.startsWith(end);
      if (!isRepeated && (isWhole || !end.startsWith(answer))) continue;
      if (wholeLines && !end.split("\n").slice(0, -1).some(isDistinctive)) continue;
      if (!isRepeated) return undefined;
      longest = Math.max(longest, end.length);
    }
    return longest;
  });
}

/**
 * The ends of a text that begin with a line, each also without its indentation, except for those
 * too short to be evidence.
 */
function lastLines(prefix: string): readonly string[] {
  const found: string[] = [];
  let start = prefix.length;
  for (let count = 0; count < maxEchoLines && start > 0; count++) {
    start = prefix.lastIndexOf("\n", start - 2) + 1;
    const lines = prefix.slice(start);
    if (lines.length > maxEcho) break;
    const bare = lines.trimStart();
    for (const echo of bare === lines ? [lines] : [lines, bare])
      if (echo.trim().length >= minEchoLength) found.push(echo);
  }
  return found;
}

/** More lines than this are held against the answer only by models that repeat the whole file. */
const maxEchoLines = 40;

/** More UTF-16 units than that no answer repeats. */
const maxEcho = 20_000;

/** Whether a line has two words, and is no item of a list: such lines may well be alike. */
function isDistinctive(line: string): boolean {
  const trimmed = line.trim();
  return (
    trimmed.length >= minLine &&
    !trimmed.endsWith(",") &&
    /\p{L}{2}/u.test(trimmed) &&
    /\p{L}\P{L}+\p{L}/u.test(trimmed)
  );
}

/** A shorter line is no evidence. UTF-16 units. */
const minLine = 8;

/** A shorter beginning of a line may well be what the text begins with, too. */
const minEchoLength = 3;
