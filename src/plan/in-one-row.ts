/** A text in one row: line breaks in it, such as in the name of a file, become their pictures. */
export function inOneRow(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\n", "␊");
}
