/**
 * Whether `whole` contains the code points of `part` in their order, with anything in between; case
 * matters. Any text contains the empty one.
 */
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
 *
 * Where `text` ends with `replaced`, that end is left out. Elsewhere the first occurrence of each
 * character of `replaced` is left out, in order, up to the first character that does not occur.
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
