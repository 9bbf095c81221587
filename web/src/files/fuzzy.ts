/** How well a text matches a query. */
export interface FuzzyMatch {
  /** Comparable among texts for the same query; larger is better. */
  readonly score: number;
  /** The offsets of the matched characters in the text, rising. */
  readonly at: readonly number[];
}

/**
 * Matches the characters of a query in their order, with anything in between; case and spaces do
 * not matter. Returns `undefined` where the text does not contain them. Characters that follow each
 * other, starts of words and the name of the file after the last `/` count more.
 */
export function tryMatchFuzzy(query: string, text: string): FuzzyMatch | undefined {
  const wanted = query.toLowerCase().replace(/\s+/g, "");
  const whole = text.toLowerCase();
  if (wanted === "") return { score: 0, at: [] };
  const nameStart = text.lastIndexOf("/") + 1;
  let best: FuzzyMatch | undefined;
  for (let start = whole.indexOf(wanted[0]!); start >= 0; start = whole.indexOf(wanted[0]!, start + 1)) {
    const at = tryOffsets(wanted, whole, start);
    // A later start has less text to match.
    if (at === undefined) break;
    const score = scoreOf(at, text, nameStart);
    if (best === undefined || score > best.score) best = { score, at };
  }
  return best;
}

/**
 * The items whose texts match a query, the best first, and equally good ones in their given order.
 */
export function fuzzyMatches<Item>(
  query: string,
  items: readonly Item[],
  textOf: (item: Item) => string,
): readonly Item[] {
  const matches = items.flatMap((item) => {
    const match = tryMatchFuzzy(query, textOf(item));
    return match === undefined ? [] : { item, score: match.score };
  });
  return matches.toSorted((a, b) => b.score - a.score).map(({ item }) => item);
}

/** The offsets of the first occurrences of the characters, from `start`. */
function tryOffsets(wanted: string, whole: string, start: number): readonly number[] | undefined {
  const at: number[] = [];
  let from = start;
  for (const character of wanted) {
    const found = whole.indexOf(character, from);
    if (found < 0) return undefined;
    at.push(found);
    from = found + character.length;
  }
  return at;
}

function scoreOf(at: readonly number[], text: string, nameStart: number): number {
  const points = at.map((offset, index): number => {
    if (index > 0 && at[index - 1] === offset - 1) return 8;
    return isWordStart(text, offset) ? 6 : 0;
  });
  const sum = points.reduce((total, one) => total + one, 0);
  return sum + (at[0]! >= nameStart ? 10 : 0) - text.length / 100;
}

function isWordStart(text: string, offset: number): boolean {
  const before = text[offset - 1];
  if (before === undefined || /[^\p{L}\p{N}]/u.test(before)) return true;
  return /\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[offset]!);
}
