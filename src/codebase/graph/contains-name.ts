/**
 * Whether a text contains one of these names as a whole word, comments and strings included. Names
 * are compared as written: an escaped identifier doesn't match, and `#one`, a private member,
 * doesn't match `one`.
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
