import { languageById, type SyntaxDiagnostic } from "../../syntax/index.ts";
import type { Place } from "../place.ts";
import { bracketBalance } from "./bracket-balance.ts";

/** A cursor in a text. */
export interface CursorPlace {
  /** The id of the language. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * Whether `text` only repeats what follows the place and closes no bracket that the document lacks;
 * `false` for a blank text. White space between tokens does not count. On a line that ends at the
 * cursor only a text that begins with a line break is a repetition.
 *
 * `errorsOf` gives the syntax errors of the document with a text at the place; where it rejects, so
 * does this function.
 */
export async function onlyRepeats(
  text: string,
  place: CursorPlace,
  errorsOf: (inserted: string) => Promise<readonly SyntaxDiagnostic[]>,
): Promise<boolean> {
  const { prefix, suffix } = place;
  const rest = /^[^\r\n]*/.exec(suffix)![0];
  return repeatsSuffix(text, { prefix, suffix, rest }) && !(await closesLostBracket(text, place, errorsOf));
}

/**
 * Whether the document lacks a bracket, and lacks none with `text` at the place: with it the
 * document has no syntax error, and without it one. Where no parser can tell, the brackets alone
 * decide.
 */
async function closesLostBracket(
  text: string,
  { language, prefix, suffix }: CursorPlace,
  errorsOf: (inserted: string) => Promise<readonly SyntaxDiagnostic[]>,
): Promise<boolean> {
  if (bracketBalance(prefix + suffix, language).size === 0) return false;
  if (bracketBalance(prefix + text + suffix, language).size > 0) return false;
  if (languageById(language)?.grammar === undefined) return true;
  return (await errorsOf("")).length > 0 && (await errorsOf(text)).length === 0;
}

/**
 * Whether `text`, put in at the cursor, would write again what follows the cursor.
 *
 * It does where it is a beginning of what follows, from the rest of the cursor's line on; white
 * space between tokens does not count. On a line that ends at the cursor only a text that begins
 * with a line break counts: one that begins a new statement as the next one begins is no
 * repetition, and whole lines are the business of `withoutFollowingLines`. It also does where it
 * begins with the word at the cursor and nothing joins the two, as `bar, qux` in front of `bar`.
 */
function repeatsSuffix(text: string, { prefix, suffix, rest }: RepeatPlace): boolean {
  if (text.trim() === "") return false;
  if (rest.trim() === "" && !/^[ \t]*\r?\n/.test(text)) return false;
  return isBeginning(text, suffix) || restatesWord(text, { prefix, suffix, rest });
}

type RepeatPlace = Pick<Place, "prefix" | "suffix" | "rest">;

/**
 * Whether `whole` begins with the tokens of `text`, whatever white space is between them; the last
 * word may go on.
 */
function isBeginning(text: string, whole: string): boolean {
  let at = 0;
  let isWordCut = false;
  for (const [token] of text.matchAll(tokens)) {
    if (isWordCut) return false;
    at += /^\s*/.exec(whole.slice(at, at + maxGap))![0].length;
    if (!whole.startsWith(token, at)) return false;
    at += token.length;
    isWordCut = isWord.test(token) && isWord.test(whole.slice(at, at + 1));
  }
  return true;
}

const tokens = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const isWord = /^[\p{L}\p{N}_$]/u;

/** The most white space between two tokens of the document, in UTF-16 units. */
const maxGap = 2000;

/**
 * Whether `text` begins with the word at the cursor, or with the rest of one that the cursor is
 * in, and ends with something that the word cannot follow. `a + ` in front of `a` is no such text,
 * `a + 1;` is.
 */
function restatesWord(text: string, { prefix, suffix, rest }: RepeatPlace): boolean {
  const word = firstWord.exec(rest)?.[0];
  if (word === undefined || firstWord.exec(text)?.[0] !== word || !suffix.startsWith(word)) return false;
  const isInside = endsInWord.test(prefix.slice(-2));
  return isInside || endsValue.test(text.slice(-2));
}

const firstWord = /^[\p{L}\p{N}_$]+/u;
const endsInWord = /[\p{L}\p{N}_$]$/u;

/**
 * The end of a value or of a statement: a word that follows on the same line belongs to neither.
 */
const endsValue = /[\p{L}\p{N}_$)\]};"'`]$/u;
