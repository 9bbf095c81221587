/**
 * A text without the repetition it ends with, up to the last line that occurs for the first time;
 * `undefined` where nothing is left then. A text that does not repeat itself stays as it is.
 */
export function withoutRepetition(text: string): string | undefined {
  const once = tryRepetition(text);
  if (once === undefined) return text;
  const lineEnd = text[once] === "\n" ? once : text.lastIndexOf("\n", once);
  return lineEnd > 0 && text.slice(0, lineEnd).trim() !== "" ? text.slice(0, lineEnd) : undefined;
}

/**
 * The UTF-16 offset at which a text begins to repeat itself up to its end: the end of the first
 * round of what is repeated. `undefined` where it does not.
 *
 * Words and signs are compared, white space is not. The shorter what is repeated, the more often it
 * has to be: data has its own repetitions. Source: the limits of GitHub Copilot's filter, there on
 * a server's tokens, here on the text.
 *
 * A round of up to four lines that calls or assigns something is a repetition from its fourth time
 * on, however short it is: no code has the same statement that often. Rows of tables, items of
 * lists and elements of pages may be alike. Opening brackets at the end are one if there are four
 * in a row, or three round ones.
 */
export function tryRepetition(text: string): number | undefined {
  return tryRepeatedLines(text) ?? tryRepeatedWords(text) ?? tryRepeatedOpeners(text);
}

/**
 * Where a text continues with nothing but opening brackets, more of them than code has side by
 * side.
 */
function tryRepeatedOpeners(text: string): number | undefined {
  let start = text.length;
  let count = 0;
  let rounds = 0;
  for (let at = text.length - 1; at >= 0 && /[([{ \t]/.test(text[at]!); at--) {
    if (/[ \t]/.test(text[at]!)) continue;
    start = at;
    count++;
    if (text[at] === "(") rounds++;
  }
  return count >= minOpeners || (rounds === count && count >= minRoundOpeners) ? start : undefined;
}

/** How many brackets of any kind, and how many round ones. */
const minOpeners = 4;
const minRoundOpeners = 3;

function tryRepeatedWords(text: string): number | undefined {
  const tokens = [...text.matchAll(/[\p{L}\p{N}_$]+|([^\s\p{L}\p{N}_$])\1*/gu)];
  const words = tokens.map(([word]) => word);
  for (const { period, length } of limits) {
    for (let size = 1; size <= period; size++) {
      const repeated = repeatedTail(words, size);
      // Whole rounds only: what begins before the tail is its first round.
      if (repeated < length || repeated < 3 * size) continue;
      const first = words.length - repeated;
      const once = tokens[first + size - 1]!;
      // A round is found from any of its words on; signs at the end of a line belong to it.
      const end = once.index + once[0].length;
      return end + /^(?:[^\S\n]*[^\s\p{L}\p{N}_$]+(?=\n))?/u.exec(text.slice(end))![0].length;
    }
  }
  return undefined;
}

/** Up to so many words in a round, if the rounds together have so many words. */
const limits: readonly { readonly period: number; readonly length: number }[] = [
  { period: 1, length: 10 },
  { period: 10, length: 30 },
  { period: 20, length: 45 },
  { period: 30, length: 60 },
];

function tryRepeatedLines(text: string): number | undefined {
  const lines = [...text.matchAll(/[^\n]+/g)]
    .filter(([line]) => line.trim() !== "")
    .map(({ 0: line, index }) => ({
      text: line.trim().replace(/\s+/g, " "),
      end: index + line.trimEnd().length,
    }));
  const words = lines.map((line) => line.text);
  for (let size = 1; size <= maxRound; size++) {
    // The last line may be torn.
    const last = words.length - 1;
    const isTorn = last >= size && words[last] !== words[last - size] && words[last - size]!.startsWith(words[last]!);
    const whole = isTorn ? words.slice(0, -1) : words;
    const repeated = repeatedTail(whole, size);
    if (repeated < minRounds * size || !whole.slice(-size).some(isStatement)) continue;
    return lines[whole.length - repeated + size - 1]!.end;
  }
  return undefined;
}

/** The most lines of a round, and how often it has to be there. */
const maxRound = 4;
const minRounds = 4;

/** Whether a line calls or assigns something, and is no item of a list and no element of a page. */
function isStatement(line: string): boolean {
  if (!/[\p{L}_$]/u.test(line) || /[,<]$|^[<|]/.test(line)) return false;
  const call = line.search(/[\p{L}\p{N}_$\])]\(/u);
  return (call >= 0 && line.includes(")", call + 2)) || /[^=!<>]=(?![=>])|;$/.test(line);
}

/** How many words at the end are a repetition of rounds of `size` words. */
function repeatedTail(words: readonly string[], size: number): number {
  let at = words.length - 1;
  while (at - size >= 0 && words[at] === words[at - size]) at--;
  const repeated = words.length - 1 - at;
  return repeated === 0 ? 0 : repeated + size;
}
