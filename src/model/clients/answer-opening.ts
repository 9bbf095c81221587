/** What stands before the text itself in a model's answer. */
export interface Opening {
  /** UTF-16 units of the answer that are not the text. */
  readonly length: number;
  /** Whether thoughts or a sentence about the text were skipped. */
  readonly hasTalk: boolean;
  /** Whether a code fence was opened, so that the text ends where it is closed. */
  readonly isFenced: boolean;
  /** The backticks or tildes of that fence: as many close it, or more. */
  readonly fence?: string;
}

/** What {@link readOpening} may skip. */
export interface OpeningOptions {
  /** Whether nothing more of the answer comes. */
  readonly isWhole: boolean;
  /** Whether a sentence about the text may stand before it, as it may not where the text itself is prose. */
  readonly sentences: boolean;
  /** Whether a fence of Markdown may stand around it. */
  readonly fences: boolean;
}

/**
 * What to leave out at the beginning of an answer: thinking aloud, sentences such as "Here is the code:", a code fence
 * and the sentences before it.
 *
 * `undefined` while it cannot be told yet; once the answer `isWhole` it always can. Law: what is told of a beginning of
 * an answer holds for the answer.
 */
export function readOpening(answer: string, { isWhole, sentences, fences }: OpeningOptions): Opening | undefined {
  const thought = skipThinking(answer, isWhole);
  if (thought === undefined) return undefined;
  const sentence = sentences ? skipSentences(answer.slice(thought), isWhole) : 0;
  if (sentence === undefined) return undefined;
  const talk = thought + sentence;
  const fenced = fences
    ? skipFence(answer.slice(talk), { isWhole, sentences })
    : { length: 0, hasTalk: false, isFenced: false };
  if (fenced === undefined) return undefined;
  return { ...fenced, length: talk + fenced.length, hasTalk: talk > 0 || fenced.hasTalk };
}

function skipThinking(answer: string, isWhole: boolean): number | undefined {
  const blanks = /^\s*/.exec(answer)![0].length;
  const rest = answer.slice(blanks);
  const tag = thinkTags.find((name) => rest.startsWith(`<${name}>`));
  if (tag === undefined) return !isWhole && thinkTags.some((name) => `<${name}>`.startsWith(rest)) ? undefined : 0;
  const close = `</${tag}>`;
  const end = rest.indexOf(close);
  if (end < 0) return isWhole ? answer.length : undefined;
  const after = blanks + end + close.length;
  const behind = answer.slice(after);
  return isWhole || behind.trim() !== "" ? after + blankLines.exec(behind)![0].length : undefined;
}

/** Skips sentences that say that code follows, with the blank lines behind them. */
function skipSentences(answer: string, isWhole: boolean): number | undefined {
  for (let at = 0; ; ) {
    const start = at + /^\s*/.exec(answer.slice(at))![0].length;
    const rest = answer.slice(start);
    if (!isWhole && (rest === "" || mayBecomeSentence(rest))) return undefined;
    const said = sentence.exec(rest)?.[0];
    if (said === undefined || said.length > maxSentence || !aboutText.test(said)) return at;
    at = start + said.length;
    at += blankLines.exec(answer.slice(at))![0].length;
  }
}

/** Whether more text could make a sentence of the one line that has come. */
function mayBecomeSentence(text: string): boolean {
  if (text.length > maxSentence || !/^[\p{L}\p{N} \t\r'’`"_()./,!-]*:?$/u.test(text)) return false;
  return starters.some((starter) => starter.startsWith(text) || text.startsWith(starter));
}

/** Skips an opening fence with its line, and the sentences before it, if these may be. */
function skipFence(
  answer: string,
  { isWhole, sentences }: Pick<OpeningOptions, "isWhole" | "sentences">,
): Opening | undefined {
  const none = { length: 0, hasTalk: false, isFenced: false };
  let hasTalk = false;
  for (let at = 0, lines = 0; lines < maxTalkLines; lines++) {
    at += /^\s*/.exec(answer.slice(at))![0].length;
    const rest = answer.slice(at);
    const lineEnd = rest.indexOf("\n");
    const line = lineEnd < 0 ? rest : rest.slice(0, lineEnd);
    const fence = /^(?:`{3,}|~{3,})/.exec(line)?.[0];
    if (fence !== undefined) {
      if (line.includes("`", fence.length)) return none;
      if (lineEnd < 0 && !isWhole) return undefined;
      return { length: at + (lineEnd < 0 ? line.length : lineEnd + 1), hasTalk, isFenced: true, fence };
    }
    if (lineEnd < 0)
      return isWhole || !(/^(?:`{0,2}|~{0,2})$/.test(line) || (sentences && mayBecomeTalk(line))) ? none : undefined;
    if (!sentences || !readsAsTalk(line)) return none;
    hasTalk = true;
    at += lineEnd + 1;
  }
  return none;
}

/**
 * Whether a line reads as a sentence that a person is told, and not as code: it begins as models begin to speak, or is
 * made of words, the first with a capital, up to a full stop or a colon.
 */
export function readsAsTalk(line: string): boolean {
  const said = line.trim();
  return said.length <= maxTalk && (speaks.test(said) || wordsOnly.test(said));
}

/** Whether more text could make the beginning of a line read as talk. */
function mayBecomeTalk(line: string): boolean {
  return line.length <= maxTalk && (speaks.test(line) || beginsWithWords.test(line));
}

/** How models begin to speak. No code begins so: two words side by side, or an exclamation with a word behind it. */
const speaks =
  /^(?:(?:Sure|Certainly|Of course|Ok|OK|Okay|Alright|Absolutely|Great|Yes|Sorry|Unfortunately|Apologies)[,.!:](?=\s|$)|(?:Here (?:is|are|you)|Here['’]s|Let me|Let['’]s|I(?:['’](?:m|ll|ve|d)| (?:am|can|cannot|can['’]t|will|would|have|think|need|apologi[sz]e|don['’]t))|You (?:can|should|need)|We (?:can|need|should)|As an AI|The (?:missing|completed?|code|function|answer|following)|This (?:is|code|function)|Below is)(?=[ ,.]))/u;

/** Three words at least. */
const wordsOnly = /^\p{Lu}[\p{L}'’-]*(?:,? [\p{L}\p{N}'’-]+){2,}(?: ?[!?:]|\.)$/u;
const beginsWithWords = /^\p{Lu}[\p{L}\p{N}'’,.!?: -]*\r?$/u;

/** The most UTF-16 units of a line that is talk, and the most lines of talk before a fence. */
const maxTalk = 400;
const maxTalkLines = 20;

/** The rest of a line and the blank lines below it; the indentation of the next line belongs to the text. */
const blankLines = /^[ \t]*(?:\r?\n|$)(?:[ \t]*\r?\n)*|^[ \t]*/;

/** What models think aloud between. */
const thinkTags = ["think", "thinking", "thought"];

/** How a sentence about the text begins. A line of code that begins so is only held back until it can be told apart. */
const starters = ["Here ", "Here's ", "Here’s ", "Sure", "Certainly", "Of course", "The ", "Below is "];

/** A line that is only an exclamation, or words side by side up to a colon: no code looks like that. */
const sentence =
  /^(?:(?:Sure|Certainly|Of course)[!.](?=[ \t]*(?:\r?\n|$))|(?:(?:Sure|Certainly|Of course)[,!.] )?(?:[Hh]ere(?:['’]s| is| are)|The|Below is)(?: [\p{L}\p{N}'’`"_()./-]+,?){1,20}:(?=\s|$))/u;

/** What a sentence about the text speaks of; one that speaks of something else may be text of a page. */
const aboutText =
  /!|\.$|\b(?:answer|cod|complet|continuation|fill|function|hole|implement|line|missing|piece|rest|snippet|text|updat)/i;

/** The most UTF-16 units of a sentence. */
const maxSentence = 200;
