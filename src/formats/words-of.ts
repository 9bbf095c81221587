/** The words and numbers of a text, in their order; repeated ones as often as they are there. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}
