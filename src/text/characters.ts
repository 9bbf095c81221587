/**
 * Whether a cut between these two neighbouring code units would tear one character apart.
 *
 * That is so between the halves of a surrogate pair and inside `\r\n`. `NaN`, which `charCodeAt`
 * returns past either end of a text, belongs to no character.
 */
export function tearsCharacter(left: number, right: number): boolean {
  return (isHighSurrogate(left) && isLowSurrogate(right)) || (left === carriageReturn && right === lineFeed);
}

/**
 * Whether `offset`, in UTF-16 code units, lies inside a surrogate pair or a `\r\n` of `text`, where
 * no edit should begin or end. `false` at either end of the text and outside of it.
 */
export function isInsideCharacter(text: string, offset: number): boolean {
  return tearsCharacter(text.charCodeAt(offset - 1), text.charCodeAt(offset));
}

/** Returns a text with its first UTF-16 code unit in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Compares texts by UTF-16 code unit, which is the same on every machine and in every locale. */
export function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * Returns the first code point of a text as Unicode names it: `U+` and at least four hexadecimal
 * digits in upper case, such as `U+001B`. Throws a `TypeError` for an empty text.
 */
export function codePointName(text: string): string {
  return `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The source of a regular expression that matches exactly this text. */
export function escapedPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
