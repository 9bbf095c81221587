import { capitalized, placedNameWords, sameEnds } from "../../text/index.ts";

/**
 * The words of a name that were replaced, in lower case and as written: `cart` and `basket` for
 * `openCart` and `openBasket`.
 */
export interface PartChange {
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly written: { readonly from: string; readonly to: string };
}

/**
 * Returns the words that were replaced between two names, without the equal words at both ends;
 * `undefined` where words were only added or removed.
 */
export function tryPartChange(from: string, to: string): PartChange | undefined {
  const [old, now] = [placedNameWords(from), placedNameWords(to)];
  const lower = (words: typeof old) => words.map(({ word }) => word.toLowerCase());
  const { front, back } = sameEnds(lower(old), lower(now));
  const [gone, come] = [old.slice(front, old.length - back), now.slice(front, now.length - back)];
  if (gone.length === 0 || come.length === 0) return undefined;
  const written = (name: string, words: typeof old) => name.slice(words[0]!.start, words.at(-1)!.end);
  return { from: lower(gone), to: lower(come), written: { from: written(from, gone), to: written(to, come) } };
}

/**
 * Returns a name with the words of a change replaced once, in the letter case of the name;
 * `undefined` where it does not contain them.
 */
export function tryChangePart(name: string, { from, to, written }: PartChange): string | undefined {
  const words = placedNameWords(name);
  const at = words.findIndex((_, index) => from.every((word, i) => words[index + i]?.word.toLowerCase() === word));
  if (at < 0) return undefined;
  const [first, last] = [words[at]!, words[at + from.length - 1]!];
  const old = name.slice(first.start, last.end);
  const fresh = to.map((word, i) => {
    if (old === old.toUpperCase() && old.length > 1) return word.toUpperCase();
    return (i === 0 ? /^\p{Lu}/u.test(old) : !name.includes("_")) ? capitalized(word) : word;
  });
  // Letter case within a word, as in `SQLite`, is kept where the name has the words as written.
  const isAsWritten = old === written.from && !`${name}${written.to}`.includes("_");
  const changed = isAsWritten ? written.to : fresh.join(name.includes("_") ? "_" : "");
  return name.slice(0, first.start) + changed + name.slice(last.end);
}
