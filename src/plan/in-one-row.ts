/** A text on one line: line breaks, as in a file's name, become the symbols ␍ and ␊. */
export function inOneRow(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\n", "␊");
}
