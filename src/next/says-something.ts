/** Whether a text is more than brackets, blanks and signs, which agree by chance. */
export function saysSomething(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}
