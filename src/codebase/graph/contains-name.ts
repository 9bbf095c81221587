/**
 * Whether a text says one of these names as a word of its own, also in comments and texts. What is
 * asked is what is written: an escaped name is another one, and `one` is not said by `#one`, which
 * is a private member.
 */
export function containsAnyName(text: string, names: ReadonlySet<string>): boolean {
  for (const name of names) {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
      if (!isWord(text[at - 1]) && !isWord(text[at + name.length])) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{ID_Continue}$#]/u.test(character);
}
