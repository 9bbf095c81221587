import { sameEnds } from "../../../text/index.ts";

/**
 * The words of a name that were replaced, in lower case: `cart` and `basket` for `openCart` and
 * `openBasket`.
 */
export interface PartChange {
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/**
 * Returns the words that were replaced between two names, without the equal words at both ends;
 * `undefined` where words were only added or removed.
 */
export function tryPartChange(from: string, to: string): PartChange | undefined {
  const [old, now] = [nameWords(from), nameWords(to)].map((words) => words.map(({ word }) => word.toLowerCase()));
  const { front, back } = sameEnds(old!, now!);
  const change = { from: old!.slice(front, old!.length - back), to: now!.slice(front, now!.length - back) };
  return change.from.length > 0 && change.to.length > 0 ? change : undefined;
}

/**
 * Returns a name with the words of a change replaced once, in the letter case of the name;
 * `undefined` where it does not contain them.
 */
export function tryChangePart(name: string, { from, to }: PartChange): string | undefined {
  const words = nameWords(name);
  const at = words.findIndex((_, index) => from.every((word, i) => words[index + i]?.word.toLowerCase() === word));
  if (at < 0) return undefined;
  const [first, last] = [words[at]!, words[at + from.length - 1]!];
  const old = name.slice(first.start, last.start + last.word.length);
  const fresh = to.map((word, i) => {
    if (old === old.toUpperCase() && old.length > 1) return word.toUpperCase();
    const isCapital = i === 0 ? /^\p{Lu}/u.test(old) : !name.includes("_");
    return isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word;
  });
  const changed = fresh.join(name.includes("_") ? "_" : "");
  return name.slice(0, first.start) + changed + name.slice(last.start + last.word.length);
}

/** Splits a name in camel case or snake case into words, with their offsets in UTF-16 units. */
export function nameWords(name: string): { readonly word: string; readonly start: number }[] {
  return Array.from(name.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+/gu), (match) => ({
    word: match[0],
    start: match.index,
  }));
}
