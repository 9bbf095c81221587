/**
 * How many UTF-16 units an answer begins with that stand right before the place already: the last lines of `prefix`, or
 * its last line without its indentation. Where `wholeLines` is set, only together with a line above that says something:
 * the last line alone may well be what the text begins with.
 *
 * `undefined` while it cannot be told yet; once the answer `isWhole` it always can.
 */
export function readPrefixEcho(
  answer: string,
  {
    prefix,
    isWhole,
    wholeLines = false,
  }: { readonly prefix: string; readonly isWhole: boolean; readonly wholeLines?: boolean },
): number | undefined {
  let longest = 0;
  for (const echo of lastLines(prefix)) {
    if (wholeLines && !echo.split("\n").slice(0, -1).some(saysSomething)) continue;
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
function saysSomething(line: string): boolean {
  const said = line.trim();
  return said.length >= minLine && !said.endsWith(",") && /\p{L}{2}/u.test(said) && /\p{L}\P{L}+\p{L}/u.test(said);
}

/** A shorter line says too little. UTF-16 units. */
const minLine = 8;

/** A shorter beginning of a line may well be what the text begins with, too. */
const minEchoLength = 3;
