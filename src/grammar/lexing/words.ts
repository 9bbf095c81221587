/** Whether `at` is between two characters of one word, or one long number. */
export function isInsideWord(text: string, at: number): boolean {
  return wordEnd.test(text.slice(Math.max(0, at - 2), at)) && wordBegin.test(text.slice(at, at + 2));
}

/**
 * Where the word begins that a text ends with; its end where it ends with none. Of a very long word
 * its last part.
 */
export function wordStart(text: string): number {
  return text.length - (/(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]+$/u.exec(text.slice(-maxWord))?.[0].length ?? 0);
}

/** How many UTF-16 units of a word are looked at. */
const maxWord = 100;

const wordEnd = /[\p{L}\p{N}_$]$/u;
const wordBegin = /^[\p{L}\p{N}_$]/u;
