/** Returns the first code point of a text as Unicode names it, such as `U+001B`. */
export function codePointName(text: string): string {
  return `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}
