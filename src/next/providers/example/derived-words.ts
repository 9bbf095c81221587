import { sameEnds } from "../../../text/index.ts";
import { nameWords } from "../rename/name-parts.ts";

/**
 * Returns the word that corresponds, at another place, to a word of an example. If the example's
 * `MySqlColumn` corresponds to `SQLiteColumn`, then `MySqlTable` corresponds to `SQLiteTable`.
 *
 * `words` maps words of the example to those at the place. Returns `word` itself where none of them
 * gives a correspondence.
 */
export function derivedWord(word: string, words: ReadonlyMap<string, string>): string {
  for (const [sample, there] of words) {
    const change = mayContainPart(sample, there, word) ? tryPartChange(sample, there) : undefined;
    if (change === undefined) continue;
    for (const [from, to] of [[change.from, change.to] as const, ...otherCases(change)]) {
      const at = partAt(word, from);
      if (at >= 0) return word.slice(0, at) + to + word.slice(at + from.length);
    }
  }
  return word;
}

/**
 * Whether a word contains the letters that differ between two names. A cheap test before the exact
 * one.
 */
function mayContainPart(sample: string, there: string, word: string): boolean {
  if (sample === there) return false;
  const { front, back } = sameEnds(sample, there);
  return word.toLowerCase().includes(sample.slice(front, sample.length - back).toLowerCase());
}

/** A part of a name that is replaced at the other place, as it is written. */
interface PartChange {
  readonly from: string;
  readonly to: string;
}

/** Shorter parts occur in names by chance. */
const leastLength = 3;

/**
 * Returns the part that differs between two names, without the words that they share at both ends;
 * `undefined` where it is too short or empty.
 */
function tryPartChange(sample: string, there: string): PartChange | undefined {
  const [old, fresh] = [nameWords(sample), nameWords(there)];
  const textsOf = (words: typeof old) => words.map(({ word }) => word);
  const { front, back } = sameEnds(textsOf(old), textsOf(fresh));
  const written = (name: string, words: typeof old) => {
    const [first, last] = [words[front], words[words.length - back - 1]];
    return first === undefined || last === undefined || last.start < first.start
      ? ""
      : name.slice(first.start, last.start + last.word.length);
  };
  const [from, to] = [written(sample, old), written(there, fresh)];
  return from.length < leastLength || to === "" ? undefined : { from, to };
}

/**
 * The same change of a part in upper and lower case, as at the beginning of a name and inside it.
 */
function otherCases({ from, to }: PartChange): readonly (readonly [from: string, to: string])[] {
  const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
  return [
    [upper(from), upper(to)],
    [lower(from), lower(to)],
  ];
}

/**
 * The index of a part in a name, at the boundaries of the name's own parts; -1 where it is not
 * there.
 */
function partAt(name: string, part: string): number {
  for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1)) {
    const [front, next] = [name.charAt(at - 1), name.charAt(at + part.length)];
    const begins = front === "" || !/\p{Ll}/u.test(part.charAt(0)) || !/\p{L}/u.test(front);
    const ends = next === "" || !/\p{Ll}/u.test(next);
    if (begins && ends) return at;
  }
  return -1;
}
