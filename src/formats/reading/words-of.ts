/** The words and numbers of a text, in order, with repetitions. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
