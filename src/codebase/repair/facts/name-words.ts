/** The words of a name in camel case or snake case, in lower case, of three letters or more. */
export function wordsIn(name: string): string[] {
  return allWordsIn(name).filter((word) => word.length > 2);
}

/** Whether two names have the same letters, ignoring case, or share a word. */
export function isLikeName(one: string, other: string): boolean {
  const words = new Set(wordsIn(one));
  return isSpeltAlike(one, other) || wordsIn(other).some((word) => words.has(word));
}

/** Whether one of two names contains all words of the other: `size` and `fullSize`. */
export function isWithinName(one: string, other: string): boolean {
  const [shorter, longer] = [new Set(allWordsIn(one)), new Set(allWordsIn(other))].sort((a, b) => a.size - b.size);
  return isSpeltAlike(one, other) || [...shorter!].every((word) => longer!.has(word));
}

/**
 * Whether one of two names negates the other: `showHint` and `hideHint`, `isRing` and `isNotRing`.
 */
export function isOppositeName(one: string, other: string): boolean {
  const isNegated = (name: string) => allWordsIn(name).filter((word) => negations.has(word)).length % 2 === 1;
  return isNegated(one) !== isNegated(other);
}

const negations: ReadonlySet<string> = new Set([
  ...["not", "no", "non", "never", "without", "except", "prevent", "disable", "disabled", "disallow", "forbid", "deny"],
  ...["skip", "hide", "hidden", "ignore", "ignored", "exclude", "excluded", "omit", "opt", "invalid", "inactive"],
]);

function allWordsIn(name: string): string[] {
  return (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase());
}

/** Whether two names have the same letters in the same order, ignoring case and separators. */
export function isSpeltAlike(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
