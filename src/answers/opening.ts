import { languageById, type PlaceKind, placeKind } from "../syntax/index.ts";
import {
  beginsWithReasoningTag,
  closingReasoningRow,
  hasReasoningTag,
  mayBeginReasoning,
  readReasoning,
  reasoningTagNames,
  withoutBlankStart,
} from "./reasoning.ts";

/** The place in a document that an answer is the text for. */
export interface AnswerPlace {
  /** The text before and after it. */
  readonly prefix: string;
  readonly suffix: string;
  /** The id of the language. */
  readonly language: string;
}

/** The text before the text itself in a model's answer. */
export interface Opening {
  /** UTF-16 units of the answer that are not the text. */
  readonly length: number;
  /** Whether reasoning or a sentence about the text was skipped. */
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
  /**
   * Whether to recognize sentences about the text before it; `false` where the text itself may be
   * prose.
   */
  readonly sentences: boolean;
  /**
   * Whether to recognize a Markdown code fence around the text; `own`: only a fence that is marked
   * as Markdown.
   */
  readonly fences: boolean | "own";
  /**
   * How to treat a reasoning tag at the very beginning; default: `reasoning`. With `string`, for
   * strings, comments and documents, the tag may also be text, which the text after it decides.
   * With `text` it always is text.
   */
  readonly tags?: "reasoning" | "string" | "text";
}

/**
 * {@link readOpening} of an answer for a place: with what may be text there left in. `undefined`,
 * as there, while more text could change the result.
 *
 * Sentences and fences are text in comments, strings and documents. So are tags of reasoning there
 * and between other tags where the document has such tags already; in these places they also are
 * where they end as a string does.
 */
export function readOpeningAt(answer: string, place: AnswerPlace, isWhole: boolean): Opening | undefined {
  const opening = readOpening(answer, { isWhole, sentences: true, fences: true });
  if (opening?.length === 0) return opening;
  const kind = placeKind(place);
  // Code never begins with a tag in a language without JSX, even if the document has such tags
  // elsewhere.
  if (kind === "code" && !mayHoldTags(place.language)) return opening;
  const isCode = kind === "code" || kind === "markup";
  const isEmpty = kind === "prose" && place.prefix.trim() === "" && place.suffix.trim() === "";
  const tags = kind === "code" ? (hasTagRow(place) ? "text" : "reasoning") : tagsIn(kind, place);
  return readOpening(answer, { isWhole, sentences: isCode, fences: isCode || (isEmpty && "own"), tags });
}

function tagsIn(
  kind: PlaceKind,
  { prefix, suffix }: Pick<AnswerPlace, "prefix" | "suffix">,
): NonNullable<OpeningOptions["tags"]> {
  if (hasReasoningTag(prefix) || hasReasoningTag(suffix)) return "text";
  return kind === "markup" ? "reasoning" : "string";
}

/** Whether a row of the document begins with such a tag, as one of JSX may. */
function hasTagRow({ prefix, suffix }: Pick<AnswerPlace, "prefix" | "suffix">): boolean {
  return [prefix, suffix].some((text) => hasReasoningTag(text) && text.split("\n").some(beginsWithReasoningTag));
}

/** Whether code of a language may begin with a tag. */
function mayHoldTags(language: string): boolean {
  return languageById(language)?.quirks.jsx === true;
}

/**
 * What to leave out at the beginning of an answer: reasoning, sentences such as "Here is the
 * code:", a code fence and the sentences before it. A `length` of 0 where nothing is to be left
 * out.
 *
 * Returns `undefined` while more text could change the result, and never when `isWhole`, which
 * marks a complete answer. Law: a result for a beginning of an answer also holds for the whole
 * answer.
 */
export function readOpening(answer: string, options: OpeningOptions): Opening | undefined {
  const { isWhole, sentences, fences, tags = "reasoning" } = options;
  const thought = tags === "text" ? 0 : skipReasoning(answer, { isWhole, tags });
  if (thought === undefined) return undefined;
  const sentence = sentences ? skipSentences(answer.slice(thought), isWhole) : 0;
  if (sentence === undefined) return undefined;
  const talk = thought + sentence;
  const fenced =
    fences === false
      ? { length: 0, hasTalk: false, isFenced: false }
      : skipFence(answer.slice(talk), { isWhole, sentences, isOwn: fences === "own" });
  if (fenced === undefined) return undefined;
  return { ...fenced, length: talk + fenced.length, hasTalk: talk > 0 || fenced.hasTalk };
}

/** Skips reasoning from its opening tag to its closing one. */
function skipReasoning(
  answer: string,
  { isWhole, tags }: { readonly isWhole: boolean; readonly tags: "reasoning" | "string" },
): number | undefined {
  const { length, open } = readReasoning(answer);
  if (length === 0) return !isWhole && mayBeginReasoning(answer) ? undefined : 0;
  if (tags === "string") {
    const [row, ...more] = answer.trimStart().split("\n", 2);
    // A row that ends as a string does is one, and so is a single row: reasoning has more of them,
    // or text behind it.
    const isRow = isWhole || more.length > 0;
    if (isRow && readReasoning(row!).open !== undefined && endsString.test(row!.trimEnd())) return 0;
    if (isWhole && !answer.trim().includes("\n")) return 0;
  }
  if (open !== undefined) return isWhole ? answer.length : undefined;
  const behind = answer.slice(length);
  if (!isWhole && mayBeginReasoning(behind)) return undefined;
  // Reasoning ends a row; text of a string continues.
  if (tags === "string" && !/^[ \t]*(?:\r?\n|$)/.test(behind)) return 0;
  return answer.length - withoutBlankStart(behind).length;
}

/** A row that ends as a row does in which a string ends. */
const endsString = /["'`][\])},;:+ \t]*$/;

/** Skips sentences that announce code, with the blank lines after them. */
function skipSentences(answer: string, isWhole: boolean): number | undefined {
  for (let at = 0; ; ) {
    const start = at + /^\s*/.exec(answer.slice(at))![0].length;
    const rest = answer.slice(start);
    if (!isWhole && (rest === "" || mayBecomeSentence(rest))) return undefined;
    const match = sentence.exec(rest)?.[0];
    if (match === undefined || match.length > maxSentence || !aboutText.test(match)) return at;
    at = answer.length - withoutBlankStart(answer.slice(start + match.length)).length;
  }
}

/** Whether more text could make a sentence of the one line that has come. */
function mayBecomeSentence(text: string): boolean {
  if (text.length > maxSentence || !/^[\p{L}\p{N} \t\r'’`"_()./,!-]*:?$/u.test(text)) return false;
  return starters.some((starter) => starter.startsWith(text) || text.startsWith(starter));
}

/**
 * Skips an opening fence with its line, and the sentences before it, if these may be; or sentences
 * up to a row that closes reasoning, whose opening tag then stood in the prompt.
 */
function skipFence(
  answer: string,
  { isWhole, sentences, isOwn }: Pick<OpeningOptions, "isWhole" | "sentences"> & { readonly isOwn: boolean },
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
      if (isOwn && !/^(?:md|markdown)\s*$/.test(line.slice(fence.length))) return none;
      return { length: at + (lineEnd < 0 ? line.length : lineEnd + 1), hasTalk, isFenced: true, fence };
    }
    if (hasTalk && closingReasoningRow(line) !== undefined && (lineEnd >= 0 || isWhole)) {
      const end = at + line.length;
      const behind = answer.slice(end);
      if (!isWhole && behind.trim() === "") return undefined;
      return { length: answer.length - withoutBlankStart(behind).length, hasTalk, isFenced: false };
    }
    if (lineEnd < 0) {
      const isOpen =
        /^(?:`{0,2}|~{0,2})$/.test(line) ||
        (sentences && mayBecomeTalk(line)) ||
        (hasTalk && reasoningTagNames.some((name) => `</${name}>`.startsWith(line.trimEnd())));
      return isWhole || !isOpen ? none : undefined;
    }
    if (!sentences || !readsAsTalk(line)) return none;
    hasTalk = true;
    at += lineEnd + 1;
  }
  return none;
}

/**
 * Whether a line of at most 400 UTF-16 units reads as a sentence to a person, and not as code: it
 * begins with a typical opening of models, or consists of words, the first with a capital, up to a
 * full stop or a colon.
 */
export function readsAsTalk(line: string): boolean {
  const trimmed = line.trim();
  return trimmed.length <= maxTalk && (talkWords.test(trimmed) || wordsOnly.test(trimmed));
}

/** Whether more text could make the beginning of a line read as talk. */
function mayBecomeTalk(line: string): boolean {
  return line.length <= maxTalk && (talkWords.test(line) || beginsWithWords.test(line));
}

/**
 * Typical openings of a model's prose. No code begins so: two words side by side, or an exclamation
 * followed by a word.
 */
const talkWords =
  /^(?:(?:Sure|Certainly|Of course|Ok|OK|Okay|Alright|Absolutely|Great|Yes|Sorry|Unfortunately|Apologies)[,.!:](?=\s|$)|(?:Here (?:is|are|you)|Here['’]s|Let me|Let['’]s|I(?:['’](?:m|ll|ve|d)| (?:am|can|cannot|can['’]t|will|would|have|think|need|apologi[sz]e|don['’]t))|You (?:can|should|need)|We (?:can|need|should)|As an AI|The (?:missing|completed?|code|function|answer|following)|This (?:is|code|function)|Below is)(?=[ ,.]))/u;

/** Three words at least. */
const wordsOnly = /^\p{Lu}[\p{L}'’-]*(?:,? [\p{L}\p{N}'’-]+){2,}(?: ?[!?:]|\.)$/u;
const beginsWithWords = /^\p{Lu}[\p{L}\p{N}'’,.!?: -]*\r?$/u;

/** The most UTF-16 units of a line that is talk, and the most lines of talk before a fence. */
const maxTalk = 400;
const maxTalkLines = 20;

/**
 * How a sentence about the text begins. A line of code that begins so is only held back until it is
 * known to be code.
 */
const starters = ["Here ", "Here's ", "Here’s ", "Sure", "Certainly", "Of course", "The ", "Below is "];

/**
 * A line that is only an exclamation, or words side by side up to a colon: no code looks like that.
 */
const sentence =
  /^(?:(?:Sure|Certainly|Of course)[!.](?=[ \t]*(?:\r?\n|$))|(?:(?:Sure|Certainly|Of course)[,!.] )?(?:[Hh]ere(?:['’]s| is| are)|The|Below is)(?: [\p{L}\p{N}'’`"_()./-]+,?){1,20}:(?=\s|$))/u;

/**
 * Words that mark a sentence as being about the requested text; a sentence without them may be the
 * text of a page.
 */
const aboutText =
  /!|\.$|\b(?:answer|cod|complet|continuation|fill|function|hole|implement|line|missing|piece|rest|snippet|text|updat)/i;

/** The most UTF-16 units of a sentence. */
const maxSentence = 200;
