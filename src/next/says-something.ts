/** Whether a text is more than brackets, blanks and signs, which agree by chance. */
export function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Whether a line is not blank. */
export function isSaid(line: string): boolean {
  return line.trim() !== "";
}
