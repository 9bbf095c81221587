/** What stands before the text itself in a chat model's answer. */
export interface Opening {
  /** UTF-16 units of the answer that are not the text. */
  readonly length: number;
  /** Whether a code fence was opened, so that the text ends where it is closed. */
  readonly isFenced: boolean;
}

/**
 * What to leave out at the beginning of an answer: thinking aloud, a sentence before a code fence and the fence, and
 * lines that stand right before the hole already.
 *
 * `undefined` while it cannot be told yet; once the answer `isWhole` it always can.
 */
export function readOpening(
  answer: string,
  { prefix, isWhole }: { readonly prefix: string; readonly isWhole: boolean },
): Opening | undefined {
  const thought = skipThinking(answer, isWhole);
  if (thought === undefined) return undefined;
  const fence = skipFence(answer.slice(thought), isWhole);
  if (fence === undefined) return undefined;
  const start = thought + fence;
  const echo = skipEcho(answer.slice(start), prefix, isWhole);
  return echo === undefined ? undefined : { length: start + echo, isFenced: fence > 0 };
}

function skipThinking(answer: string, isWhole: boolean): number | undefined {
  const blanks = /^\s*/.exec(answer)![0].length;
  const rest = answer.slice(blanks);
  if (!rest.startsWith(thinkOpen)) return !isWhole && thinkOpen.startsWith(rest) ? undefined : 0;
  const end = rest.indexOf(thinkClose);
  if (end < 0) return isWhole ? answer.length : undefined;
  const after = blanks + end + thinkClose.length;
  return after + /^[ \t]*(?:\r?\n)*/.exec(answer.slice(after))![0].length;
}

/** Skips an opening fence with its line, and one sentence before it. */
function skipFence(answer: string, isWhole: boolean): number | undefined {
  const blanks = /^\s*/.exec(answer)![0].length;
  const rest = answer.slice(blanks);
  const isSentence = sentences.some((sentence) => rest.startsWith(sentence));
  const lineEnd = isSentence ? /^[^\n]*\n\s*/.exec(rest)?.[0].length : 0;
  if (lineEnd !== undefined && rest.startsWith("```", lineEnd)) {
    const line = /^```[^\n`]*(\n|$)/.exec(rest.slice(lineEnd));
    if (line === null) return 0;
    return line[1] === "" && !isWhole ? undefined : blanks + lineEnd + line[0].length;
  }
  if (isWhole) return 0;
  const mayBeSentence = sentences.some((sentence) => sentence.startsWith(rest));
  return mayBeSentence || lineEnd === undefined || /^`{0,2}$/.test(rest.slice(lineEnd)) ? undefined : 0;
}

/** Skips a repetition of the last lines of `prefix`, or of the last line without its indentation. */
function skipEcho(answer: string, prefix: string, isWhole: boolean): number | undefined {
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

/** How a sentence before a code fence begins. A line of code that begins so is only held back until it ends. */
const sentences = ["Here ", "Here's ", "Sure", "Certainly", "Of course", "The "];

const thinkOpen = "<think>";
const thinkClose = "</think>";

/** More lines than this are held against the answer only by models that repeat the whole file. */
const maxEchoLines = 40;

/** A shorter beginning of a line may well be what the text begins with, too. */
const minEchoLength = 3;
