/**
 * Whether a text contains one of these names as a whole word, comments and strings included. Names
 * must not be empty. They are compared as written: an escaped identifier doesn't match, and `#one`,
 * a private member, doesn't match `one`.
 */
export function containsAnyName(text: string, names: ReadonlySet<string>): boolean {
  if (names.size <= maxSearched) return [...names].some((name) => containsName(text, name));
  // A search for each name would take the product of both lengths.
  for (const [word] of text.matchAll(/[\p{ID_Continue}$#]+/gu)) if (names.has(word)) return true;
  return [...names].some((name) => !/^[\p{ID_Continue}$#]+$/u.test(name) && containsName(text, name));
}

/**
 * The number of names up to which a search for each is faster than reading the words of the text.
 */
const maxSearched = 16;

function containsName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0 && name !== ""; at = text.indexOf(name, at + 1)) {
    const behind = at + name.length;
    // Two units, as a character may be a surrogate pair.
    if (!endsInWord.test(text.slice(Math.max(0, at - 2), at)) && !startsWithWord.test(text.slice(behind, behind + 2)))
      return true;
  }
  return false;
}

const startsWithWord = /^[\p{ID_Continue}$#]/u;
const endsInWord = /[\p{ID_Continue}$#]$/u;
