/**
 * How many UTF-16 units an answer begins with that stand right before the place already: the last lines of `prefix`, or
 * its last line without its indentation.
 *
 * `undefined` while it cannot be told yet; once the answer `isWhole` it always can.
 */
export function readPrefixEcho(
  answer: string,
  { prefix, isWhole }: { readonly prefix: string; readonly isWhole: boolean },
): number | undefined {
  let longest = 0;
  for (const echo of lastLines(prefix)) {
    if (answer.startsWith(echo)) longest = Math.max(longest, echo.length);
    else if (!isWhole && echo.startsWith(answer)) return undefined;
  }
  return longest;
}

/** The ends of a text that begin with a line, each also without its indentation; those too short to tell left out. */
function lastLines(prefix: string): readonly string[] {
  const found: string[] = [];
  let start = prefix.length;
  for (let count = 0; count < maxEchoLines && start > 0; count++) {
    start = prefix.lastIndexOf("\n", start - 2) + 1;
    const lines = prefix.slice(start);
    for (const echo of new Set([lines, lines.trimStart()])) if (echo.trim().length >= minEchoLength) found.push(echo);
  }
  return found;
}

/** More lines than this are held against the answer only by models that repeat the whole file. */
const maxEchoLines = 40;

/** A shorter beginning of a line may well be what the text begins with, too. */
const minEchoLength = 3;
