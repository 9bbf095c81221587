/** The words of a name in camel case or snake case, in small letters, of three letters or more. */
export function wordsIn(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [])
    .map((word) => word.toLowerCase())
    .filter((w) => w.length > 2);
}

/** Whether two names are made of the same letters, whatever their case, or share a word. */
export function isLikeName(one: string, other: string): boolean {
  const letters = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  const words = new Set(wordsIn(one));
  return letters(one) === letters(other) || wordsIn(other).some((word) => words.has(word));
}
