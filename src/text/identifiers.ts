/** The source of a regular expression, with the flag `u`, for an identifier of JavaScript. */
const identifier = "[\\p{ID_Start}$_][\\p{ID_Continue}$]*";

const wholeIdentifier = new RegExp(`^${identifier}$`, "u");

/**
 * Whether a text is an identifier of JavaScript, reserved words included. Escapes (`\u0061`) and
 * the joiners U+200C and U+200D count as no part of one.
 */
export function isIdentifier(text: string): boolean {
  return wholeIdentifier.test(text);
}

/**
 * Finds all identifiers of a text, reserved words included, also in strings and comments. It is
 * global: use it with `match`, `matchAll`, `replaceAll` and `search`, which always begin at 0.
 */
export const anyIdentifier: RegExp = new RegExp(identifier, "gu");

/** A word of a name, with its offsets in UTF-16 units. */
export interface NameWord {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The words of a name in camel case, snake case or kebab case, as they are written and in order:
 * `parse`, `HTTP` and `Request` of `parseHTTPRequest`. A number is a word; letters without case are
 * left out.
 */
export function placedNameWords(name: string): NameWord[] {
  const words = name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu);
  return Array.from(words, ({ 0: word, index }) => ({ word, start: index, end: index + word.length }));
}

/** The words of a name as {@link placedNameWords} finds them, in lower case. */
export function nameWords(name: string): string[] {
  return placedNameWords(name).map(({ word }) => word.toLowerCase());
}
