/**
 * Whether a text contains more than brackets, white space and punctuation, which agree by chance.
 */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Whether a line is not blank. */
export function isNonBlank(line: string): boolean {
  return line.trim() !== "";
}
