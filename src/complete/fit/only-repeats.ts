import { languageById, type SyntaxIssue } from "../../syntax/index.ts";
import { bracketBalance } from "./bracket-balance.ts";
import { repeatsSuffix } from "./repeated-suffix.ts";

/** A cursor in a text. */
export interface CursorPlace {
  /** The id of the language. */
  readonly language: string;
  readonly prefix: string;
  readonly suffix: string;
}

/**
 * Whether `text` only repeats what follows the place and closes no bracket that the document lacks.
 * `errorsOf` gives the syntax errors of the document with a text at the place.
 */
export async function onlyRepeats(
  text: string,
  place: CursorPlace,
  errorsOf: (inserted: string) => Promise<readonly SyntaxIssue[]>,
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
  errorsOf: (inserted: string) => Promise<readonly SyntaxIssue[]>,
): Promise<boolean> {
  if (bracketBalance(prefix + suffix, language).size === 0) return false;
  if (bracketBalance(prefix + text + suffix, language).size > 0) return false;
  if (languageById(language)?.grammar === undefined) return true;
  return (await errorsOf("")).length > 0 && (await errorsOf(text)).length === 0;
}
