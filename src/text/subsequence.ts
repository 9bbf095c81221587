/** Whether `whole` contains the characters of `part` in their order, with anything in between. */
export function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const character of part) {
    at = whole.indexOf(character, at) + character.length;
    if (at < character.length) return false;
  }
  return true;
}

/**
 * Returns the part of `text` that is shown at the cursor when it replaces `replaced`: without the
 * characters that are already there.
 */
export function ghostOf(text: string, replaced: string): string {
  if (text.endsWith(replaced)) return text.slice(0, text.length - replaced.length);
  let ghost = "";
  let at = 0;
  for (const character of text) {
    if (at < replaced.length && replaced.startsWith(character, at)) at += character.length;
    else ghost += character;
  }
  return ghost;
}
