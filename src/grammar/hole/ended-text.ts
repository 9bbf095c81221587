import { isInsideCharacter } from "../../text/index.ts";
import type { TextGuide } from "./text-guide.ts";

/** A text with an end that its writer did not give it. */
export interface EndedText {
  /**
   * `cut-back`: it is a beginning of what was written. `closed`: `ending` is behind a beginning.
   */
  readonly kind: "cut-back" | "closed";
  readonly text: string;
  readonly ending?: string;
}

/** How many places are tried for an end, from the last one back; and then the start. */
const maxEnds = 200;

/**
 * What can be made of `text`, or of a beginning of it, so that it may end; all different, the one
 * that keeps most first.
 *
 * The first is what to take. The others are for a caller that knows more than the guide, such as a
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

/** A guide that knows several endings of a text. */
export interface EndingGuide extends TextGuide {
  /** Endings of `text`, different ones. */
  otherEndings?(text: string): Iterable<string>;
}

/**
 * How many ends are tried that keep as much as there can be, how many beginnings further back, and
 * how many endings of each.
 */
const maxNear = 12;
const strides = 8;
const maxOthers = 300;

/**
 * What can be made of `text`, without any ending of ours, so that it may end, and that `agrees`: a
 * language's own parser, which has the last word. What keeps most is tried first, then shorter
 * beginnings and other endings; `undefined` where it agrees to none of them.
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

/** A beginning of about this share of a text, up to an end of a word. */
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
    // Closers too many are no beginning of something more.
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

/** Whether `at` is between two characters of one word, or one long number. */
export function isInsideWord(text: string, at: number): boolean {
  return wordEnd.test(text.slice(Math.max(0, at - 2), at)) && wordBegin.test(text.slice(at, at + 2));
}

/**
 * Where the word begins that a text ends with; its end where it ends with none. Of a very long word
 * its last part.
 */
export function wordStart(text: string): number {
  return text.length - (/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(text.slice(-maxWord))?.[0].length ?? 0);
}

/** How many UTF-16 units of a word are looked at. */
const maxWord = 100;

const wordEnd = /[\p{L}\p{N}_$]$/u;
const wordBegin = /^[\p{L}\p{N}_$]/u;
