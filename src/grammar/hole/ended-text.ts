import { isInsideCharacter } from "../../text/index.ts";
import type { TextGuide } from "./text-guide.ts";

/** A text that was made complete without the model. */
export interface EndedText {
  /** `cut-back`: a prefix of the model's text. `closed`: a prefix with `ending` behind it. */
  readonly kind: "cut-back" | "closed";
  readonly text: string;
  readonly ending?: string;
}

/** The most positions that are tried, from the end of the text backwards; then the empty prefix. */
const maxEnds = 200;

/**
 * Complete texts that can be made from a prefix of `text`, all distinct; the one that keeps most
 * comes first. At most 200 prefixes that do not end inside a word are tried, the longest first,
 * then the empty text. None where the guide finds no ending.
 *
 * Callers take the first. The others are for callers with more knowledge than the guide, such as a
 * language's own parser.
 */
export function* endedTexts(guide: TextGuide, text: string): Generator<EndedText, undefined> {
  const seen = new Set<string>();
  for (const ended of endsOf(guide, text)) {
    if (seen.has(ended.text)) continue;
    seen.add(ended.text);
    yield ended;
  }
  return undefined;
}

/** A guide that can propose several endings for a text. */
export interface EndingGuide extends TextGuide {
  /** Distinct endings of `text`. */
  otherEndings?(text: string): Iterable<string>;
}

/**
 * The most ends that are tried near the end of the text, of prefixes further back, and of endings
 * of each prefix.
 */
const maxNear = 12;
const strides = 8;
const maxOthers = 300;

/**
 * A complete text made from `text`, of which the model wrote no end, that `agrees` accepts: a
 * language's own parser. Long prefixes are tried first, then shorter ones and other endings;
 * `undefined` where `agrees` accepts none. Rejects where `agrees` does.
 */
export async function agreedEnd(
  guide: EndingGuide,
  text: string,
  agrees: (text: string) => Promise<boolean>,
): Promise<EndedText | undefined> {
  const seen = new Set<string>();
  for (const ended of variedEnds(guide, text)) {
    if (seen.has(ended.text)) continue;
    seen.add(ended.text);
    if (await agrees(ended.text)) return ended;
  }
  return undefined;
}

function* variedEnds(guide: EndingGuide, text: string): Generator<EndedText> {
  let near = 0;
  for (const ended of endedTexts(guide, text)) {
    yield ended;
    if (++near === maxNear) break;
  }
  const beginnings = [...new Set(Array.from({ length: strides + 1 }, (_, i) => cutAt(text, 1 - i / strides)))];
  for (const beginning of beginnings) yield* endAt(guide, beginning);
  for (const beginning of [...new Set([text, ""])]) yield* otherEndsAt(guide, beginning);
}

/** A prefix of about this share of a text, up to the end of a word. */
function cutAt(text: string, share: number): string {
  let at = Math.floor(text.length * share);
  while (at > 0 && (isInsideWord(text, at) || isInsideCharacter(text, at))) at -= 1;
  return text.slice(0, at);
}

function* otherEndsAt(guide: EndingGuide, beginning: string): Generator<EndedText> {
  let tried = 0;
  for (const ending of guide.otherEndings?.(beginning) ?? []) {
    yield { kind: "closed", text: beginning + ending, ending };
    if (++tried === maxOthers) return;
  }
}

function* endsOf(guide: TextGuide, text: string): Generator<EndedText> {
  if (guide.mayEnd(text)) yield { kind: "cut-back", text };
  else {
    // Surplus closing brackets can't begin anything that is complete.
    const withoutClosers = tryCutClosers(guide, text);
    if (withoutClosers !== undefined) yield { kind: "cut-back", text: withoutClosers };
  }
  let tried = 0;
  for (let at = text.length; at > 0 && tried < maxEnds; at -= 1) {
    if (isInsideWord(text, at) || isInsideCharacter(text, at)) continue;
    tried += 1;
    yield* endAt(guide, text.slice(0, at));
  }
  yield* endAt(guide, "");
}

function tryCutClosers(guide: TextGuide, text: string): string | undefined {
  const closers = /(?<![\s)\]}>;,])[\s)\]}>;,]+$/.exec(text)?.[0].length ?? 0;
  for (let at = text.length - 1; at >= text.length - closers; at -= 1) {
    const shorter = text.slice(0, at);
    if (!guide.mayEnd(shorter)) continue;
    const bare = shorter.replace(/(?<![ \t])[ \t]+$/, "");
    return guide.mayEnd(bare) ? bare : shorter;
  }
  return undefined;
}

function* endAt(guide: TextGuide, beginning: string): Generator<EndedText> {
  if (guide.mayEnd(beginning)) {
    yield { kind: "cut-back", text: beginning };
    return;
  }
  const ending = guide.ending(beginning);
  if (ending !== undefined) yield { kind: "closed", text: beginning + ending, ending };
}

/**
 * Whether the offset `at`, in UTF-16 code units, is between two characters of one word or number.
 */
export function isInsideWord(text: string, at: number): boolean {
  return wordEnd.test(text.slice(Math.max(0, at - 2), at)) && wordBegin.test(text.slice(at, at + 2));
}

/**
 * The offset, in UTF-16 code units, at which the word at the end of a text starts; the length of
 * the text where it ends in no word. Of a word of more than 100 units, only the last 100 are seen.
 */
export function wordStart(text: string): number {
  return text.length - (/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(text.slice(-maxWord))?.[0].length ?? 0);
}

/** The most UTF-16 code units of a word that are examined. */
const maxWord = 100;

const wordEnd = /[\p{L}\p{N}_$]$/u;
const wordBegin = /^[\p{L}\p{N}_$]/u;
