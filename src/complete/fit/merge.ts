import { withoutFollowingLines } from "../../answers/index.ts";
import { languageById, plaintext, Structure } from "../../syntax/index.ts";
import { ghostOf, isSubsequence } from "../../text/index.ts";
import type { SuggestionChange } from "../outcome.ts";
import type { Place } from "../place.ts";
import { bracketBalance, isBalancedAs } from "./bracket-balance.ts";
import type { CursorPlace } from "./only-repeats.ts";
import { joinsWords, spaceBehind } from "./space-behind.ts";

/** How a model's text goes into its place. */
export interface MergedText {
  /** What to write at the cursor, with `\n`. */
  readonly text: string;
  /**
   * How many characters right of the cursor it replaces; all of them stand in `text`, in their
   * order.
   */
  readonly covered: number;
  /** How many characters right of the cursor the text had at its end and no longer has. */
  readonly overlap: number;
  readonly changes: readonly SuggestionChange[];
}

/**
 * Yields the ways in which `text` may go into `place`, the best first: text that is behind the
 * cursor already is not written again, be it the rest of the line or the lines below. Yields
 * nothing where each way writes nothing new or leaves brackets without partners.
 *
 * Law, for any text: no closing bracket is without a partner that was not so before, and no opening
 * one, but for those that the text itself opens on its last line and leaves open, where nothing
 * follows on that line. So brackets that were balanced stay so, whenever the text is balanced in
 * itself.
 */
export function* mergesOf(
  text: string,
  place: Pick<Place, "prefix" | "suffix" | "lineBefore" | "rest" | "language">,
): Generator<MergedText> {
  const { prefix, suffix, rest, language } = place;
  const near = { prefix: prefix.slice(-maxSide), suffix: suffix.slice(0, maxSide) };
  const before = bracketBalance(near.prefix + near.suffix, language);
  const fits = ({ text: inserted, covered }: MergedText) =>
    ghostOf(inserted, suffix.slice(0, covered)).trim() !== "" &&
    keepsAngles(inserted, covered, place) &&
    isBalancedAs(
      before,
      bracketBalance(near.prefix + inserted + near.suffix.slice(covered), language),
      rest.trim() === "" ? leftOpen(inserted, prefix, language) : [],
    );
  const seen = new Set<string>();
  for (const merged of [...withoutRepeats(text, place), ...covering(text, rest), ...beginnings(text, place)]) {
    const key = `${merged.covered} ${merged.text}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (fits(merged)) yield merged;
  }
}

/**
 * How much of a text on each side of the cursor is searched for partners of brackets, in UTF-16
 * units: the search is repeated for each way to insert a suggestion.
 */
const maxSide = 150_000;

/**
 * The text without the lines below and the rest of its line at its end, most first; and as it is.
 */
function* withoutRepeats(
  text: string,
  { lineBefore, suffix, rest }: Pick<Place, "lineBefore" | "suffix" | "rest">,
): Generator<MergedText> {
  const below = suffix.slice(rest.length);
  const lastLine = text.slice(text.lastIndexOf("\n") + 1).trim();
  // A repetition of the rest of the line on a line of its own is not the text below.
  if (lastLine !== "" && lastLine === rest.trim() && text.includes("\n")) {
    const covered = rest.trimEnd();
    if (lastLine === covered) yield withoutEnd(text, lastLine.length);
    else if (isSubsequence(covered, text)) yield { text, covered: covered.length, overlap: 0, changes: [] };
  }
  for (const kept of withoutFollowingLines(text, lineBefore, below)) {
    for (const overlap of overlaps(kept, rest)) {
      const changes: SuggestionChange[] = ["cut-following-lines"];
      if (overlap > 0) changes.push("cut-closers");
      yield { text: kept.slice(0, kept.length - overlap), covered: 0, overlap, changes };
    }
  }
  for (const overlap of overlaps(text, rest)) {
    yield withoutEnd(text, overlap);
  }
}

function withoutEnd(text: string, overlap: number): MergedText {
  const changes: SuggestionChange[] = overlap > 0 ? ["cut-closers"] : [];
  return { text: text.slice(0, text.length - overlap), covered: 0, overlap, changes };
}

/**
 * How much of `rest` the end of `text` repeats, the longest first, and 0: all of it, some of the
 * signs it begins with, or some of its tokens where it begins with a word, which would else run
 * into the same word at the end of `text`.
 */
function* overlaps(text: string, rest: string): Generator<number> {
  const whole = rest.trimEnd().length;
  const signs = signsAt(rest);
  const startsWithWord = word.test(rest);
  for (let length = Math.min(whole, text.length); length > 0; length--) {
    if (!text.endsWith(rest.slice(0, length))) continue;
    const isWords = startsWithWord && isTokenEnd(rest, length) && isTokenEnd(text, text.length - length);
    if (length === whole || length <= signs || isWords) yield length;
  }
  yield 0;
}

const word = /^[\p{L}\p{N}_$]/u;

/** Whether no word of `text` spans `offset`. */
const isTokenEnd = (text: string, offset: number) => !joinsWords(text.slice(0, offset), text.slice(offset));

/**
 * The text in the place of the closers behind the cursor that it writes itself, the most of them
 * first.
 */
function* covering(text: string, rest: string): Generator<MergedText> {
  for (let length = signsAt(rest); length > 0; length--) {
    const signs = rest.slice(0, length);
    if (signs.trim() !== "" && isSubsequence(signs, text)) yield { text, covered: length, overlap: 0, changes: [] };
  }
}

/** How many signs that a line may end with `rest` begins with, up to `maxSigns`. */
function signsAt(rest: string): number {
  return /^[)\]}>"'`;,:{ \t]*/.exec(rest.slice(0, maxSigns))![0].trimEnd().length;
}

/** More closers behind the cursor are no line that a person types on. */
const maxSigns = 100;

/**
 * The beginnings of a text that end with a line, or in front of a bracket or a quote of its first
 * one; the longest first. The last word of none becomes part of the word behind the cursor.
 */
function* beginnings(text: string, place: CursorPlace): Generator<MergedText> {
  const firstEnd = text.includes("\n") ? text.indexOf("\n", text.search(/\S/)) : text.length;
  const ends = [...text.matchAll(/[\n()[\]{}<>"'`]/g)].map(({ index }) => index);
  for (const end of ends.filter((at) => text[at] === "\n" || at < firstEnd || firstEnd < 0).reverse()) {
    // A name without the call, the item or the type that was to follow it is another name.
    if (torn.test(text.slice(Math.max(0, end - 1), end + maxTorn))) continue;
    const beginning = text.slice(0, end).trimEnd();
    const kept = beginning + spaceBehind(beginning, /^\s*/.exec(text.slice(beginning.length))![0], place);
    if (!joinsWords(kept, place.suffix)) yield { text: kept, covered: 0, overlap: 0, changes: ["cut-closers"] };
  }
}

/** A name, and a bracket with a word in it. */
const torn = /^[\p{L}\p{N}_$][([<{][^\n]*[\p{L}\p{N}]/u;

/** How much behind a name is looked at, in UTF-16 units. */
const maxTorn = 200;

/** The brackets that `text` opens on its last line and leaves open. */
function leftOpen(text: string, prefix: string, language: string): string[] {
  const whole = prefix + text;
  const lastLine = prefix.length + text.lastIndexOf("\n") + 1;
  return Structure.of(whole, languageById(language) ?? plaintext)
    .openersBefore(whole.length)
    .filter(({ offset }) => offset >= lastLine)
    .map(({ text: bracket }) => bracket);
}

/**
 * Whether angle brackets around type arguments that are closed right behind the cursor are closed
 * once when `inserted` takes the place of the first `covered` UTF-16 units there. True where there
 * are none, as where `<` compares.
 *
 * Most languages use the same signs for both, so that their brackets do not count as such.
 */
function keepsAngles(
  inserted: string,
  covered: number,
  { lineBefore, rest, language }: Pick<Place, "lineBefore" | "rest" | "language">,
): boolean {
  const closers = /^>+(?!=)/.exec(rest)?.[0].length ?? 0;
  const isMarkup = languageById(language)?.quirks.markup === true;
  if (closers === 0 || isMarkup || !/[\p{L}\p{N}_:]<[^<>;]*$/u.test(lineBefore)) return true;
  let depth = 0;
  let closed = 0;
  for (const [angle] of inserted.matchAll(/[=-]>|[<>]/g)) {
    if (angle === "<") depth++;
    else if (angle === ">") depth--;
    closed = Math.max(closed, -depth);
  }
  const taken = Math.min(covered, closers);
  return closed === 0 ? taken === 0 && depth === 0 : taken === Math.min(closed, closers);
}
