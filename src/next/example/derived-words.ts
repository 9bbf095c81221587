import { sameEnds } from "../../text/index.ts";
import { nameWords } from "../names/name-parts.ts";

/**
 * What a word of an example is called at a place where other words are others: who writes `SQLiteColumn` where the example says `MySqlColumn` writes
 * `SQLiteTable` for its `MySqlTable`.
 *
 * `words` says what words of the example are called there. The same word where none of them says anything.
 */
export function derivedWord(word: string, words: ReadonlyMap<string, string>): string {
  for (const [sample, there] of words) {
    const change = mayTell(sample, there, word) ? tryPartChange(sample, there) : undefined;
    if (change === undefined) continue;
    for (const [from, to] of [[change.from, change.to] as const, ...otherCases(change)]) {
      const at = partAt(word, from);
      if (at >= 0) return word.slice(0, at) + to + word.slice(at + from.length);
    }
  }
  return word;
}

/** Whether a word has the letters at least that are others in two names: it costs little to find out. */
function mayTell(sample: string, there: string, word: string): boolean {
  if (sample === there) return false;
  const { front, back } = sameEnds(sample, there);
  return word.toLowerCase().includes(sample.slice(front, sample.length - back).toLowerCase());
}

/** A part of a name that is another one elsewhere, as it is written. */
interface PartChange {
  readonly from: string;
  readonly to: string;
}

/** Shorter parts are in names by chance. */
const leastLength = 3;

/** What of a name is something else, but for the words at both ends that stay. */
function tryPartChange(sample: string, there: string): PartChange | undefined {
  const [old, fresh] = [nameWords(sample), nameWords(there)];
  const said = (words: typeof old) => words.map(({ word }) => word);
  const { front, back } = sameEnds(said(old), said(fresh));
  const written = (name: string, words: typeof old) => {
    const [first, last] = [words[front], words[words.length - back - 1]];
    return first === undefined || last === undefined || last.start < first.start
      ? ""
      : name.slice(first.start, last.start + last.word.length);
  };
  const [from, to] = [written(sample, old), written(there, fresh)];
  return from.length < leastLength || to === "" ? undefined : { from, to };
}

/** The change of a part as it is at the begin of a name, and behind it. */
function otherCases({ from, to }: PartChange): readonly (readonly [from: string, to: string])[] {
  const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
  return [
    [upper(from), upper(to)],
    [lower(from), lower(to)],
  ];
}

/** Where a part stands in a name as one or several of its own parts; -1 where it does not. */
function partAt(name: string, part: string): number {
  for (let at = name.indexOf(part); at >= 0; at = name.indexOf(part, at + 1)) {
    const [front, next] = [name.charAt(at - 1), name.charAt(at + part.length)];
    const begins = front === "" || !/\p{Ll}/u.test(part.charAt(0)) || !/\p{L}/u.test(front);
    const ends = next === "" || !/\p{Ll}/u.test(next);
    if (begins && ends) return at;
  }
  return -1;
}
