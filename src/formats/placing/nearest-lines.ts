import { diffSequences, getOrInsert } from "../../text/index.ts";
import { wordsOf } from "../reading/reads-as-words.ts";
import type { NearestLines } from "../refusal.ts";

/**
 * Finds the stretches of a file that are most similar to some lines, best first, at most three and
 * without overlap; empty where none is similar enough. They are shown to people and models; nothing
 * is applied there.
 *
 * Stretches of the same length as `search` are scored by shared words, rare words more. Around the
 * best ones, the stretches with the most equal lines are chosen and sorted by their longest common
 * subsequence of lines; at most 40 lines of each are returned. Linear time in the size of the file;
 * `words` caches most of the work for later searches.
 */
export function nearestLines(
  search: readonly string[],
  lines: readonly string[],
  words = new LineWords(),
): readonly NearestLines[] {
  const length = Math.min(search.length, lines.length);
  if (length === 0) return [];
  const table = words.tableOf(lines);
  const wanted = new Map<number, number>();
  for (const word of search.flatMap((line) => words.of(line))) wanted.set(word, (wanted.get(word) ?? 0) + 1);
  const weightOf = (word: number) => 1 / (1 + Math.log2(table.counts[word] || 1));
  const most = new Uint32Array(words.count);
  for (const [word, count] of wanted) most[word] = count;

  // The counts of words in the current stretch, and the total weight of the searched ones among
  // them.
  const inside = new Uint32Array(words.count);
  let weight = 0;
  const weights = new Float64Array(lines.length - length + 1);
  for (const [i, line] of table.lines.entries()) {
    for (const word of line) if (++inside[word]! <= most[word]!) weight += weightOf(word);
    for (const word of i >= length ? table.lines[i - length]! : []) {
      if (inside[word]!-- <= most[word]!) weight -= weightOf(word);
    }
    if (i + 1 >= length) weights[i + 1 - length] = weight;
  }
  const least = weightOfAll(wanted, weightOf) * leastShare;
  const equal = equalLines(search, lines, length);
  const starts = bestApart(weights, length, least).map((peak) => {
    // The stretch with the most equal lines may overlap one with still more, further on; move until
    // none does.
    let start = peak;
    for (let from = -1; from !== start; ) {
      from = start;
      start = mostEqual(from, { equal, weights, search, lines });
    }
    return start;
  });
  return [...new Set(starts)]
    .filter((start, i, all) => all.slice(0, i).every((before) => Math.abs(before - start) >= length))
    .map((start) => ({ start, lines: lines.slice(start, start + length) }))
    .map((stretch) => ({ stretch, score: likeness(search, stretch.lines) + weights[stretch.start]! * 1e-6 }))
    .sort((a, b) => b.score - a.score || a.stretch.start - b.stretch.start)
    .slice(0, 3)
    .map(({ stretch }) => ({ start: stretch.start, lines: stretch.lines.slice(0, longest) }));
}

/** The share of the weight of the searched lines that a stretch needs. */
const leastShare = 0.3;
/** The most lines shown of a stretch. */
const longest = 40;
/** The most stretches that are compared line by line. */
const compared = 8;

function weightOfAll(words: ReadonlyMap<number, number>, weightOf: (word: number) => number): number {
  let sum = 0;
  for (const [word, count] of words) sum += count * weightOf(word);
  return sum;
}

/** The stretches of greatest weight, without overlap. */
function bestApart(weights: Float64Array, length: number, least: number): readonly number[] {
  // Keep only local maxima, so that few are left to sort.
  const peaks: number[] = [];
  for (const [i, weight] of weights.entries()) {
    if (weight < least || weight === 0) continue;
    const last = peaks.at(-1);
    if (last === undefined || last + length <= i) peaks.push(i);
    else if (weight > weights[last]!) peaks[peaks.length - 1] = i;
  }
  return peaks.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, compared);
}

/**
 * For each stretch of `length` lines, the number of its non-blank lines that are also in `search`,
 * ignoring white space at both ends.
 */
function equalLines(search: readonly string[], lines: readonly string[], length: number): Uint32Array {
  const wanted = new Map<string, number>();
  for (const line of search.map((one) => one.trim())) if (line !== "") wanted.set(line, (wanted.get(line) ?? 0) + 1);
  const inside = new Map<string, number>();
  const counts = new Uint32Array(lines.length - length + 1);
  let equal = 0;
  const move = (line: string, by: 1 | -1): void => {
    const most = wanted.get(line);
    if (most === undefined) return;
    const before = inside.get(line) ?? 0;
    inside.set(line, before + by);
    if (Math.max(before, before + by) <= most) equal += by;
  };
  for (const [i, line] of lines.entries()) {
    move(line.trim(), 1);
    if (i >= length) move(lines[i - length]!.trim(), -1);
    if (i + 1 >= length) counts[i + 1 - length] = equal;
  }
  return counts;
}

/**
 * The stretch that overlaps `peak` and has the most equal lines; ties are decided by equal first
 * and last lines, then weight, then distance.
 */
function mostEqual(
  peak: number,
  {
    equal,
    weights,
    search,
    lines,
  }: {
    readonly equal: Uint32Array;
    readonly weights: Float64Array;
    readonly search: readonly string[];
    readonly lines: readonly string[];
  },
): number {
  const length = lines.length - weights.length + 1;
  const isEqual = (at: number, line: number) => search[at]!.trim() === lines[line]!.trim();
  const edges = (start: number) => Number(isEqual(0, start)) + Number(isEqual(search.length - 1, start + length - 1));
  let best = peak;
  const from = Math.max(0, peak - length + 1);
  const to = Math.min(weights.length, peak + length);
  for (let start = from; start < to; start++) {
    const order =
      equal[start]! - equal[best]! ||
      edges(start) - edges(best) ||
      weights[start]! - weights[best]! ||
      Math.abs(best - peak) - Math.abs(start - peak);
    if (order > 0) best = start;
  }
  return best;
}

/**
 * The share of lines that two stretches have in common, ignoring white space at both ends, from 0
 * to 1.
 */
function likeness(a: readonly string[], b: readonly string[]): number {
  const before = a.map((line) => line.trim());
  const after = b.map((line) => line.trim());
  const changed = diffSequences(before, after).reduce((sum, change) => sum + change.beforeEnd - change.beforeStart, 0);
  return (before.length - changed) / Math.max(before.length, after.length);
}

/** Lines as lists of word numbers. */
export interface WordTable {
  /** The numbers of the words of each line, in order, with repetitions. */
  readonly lines: readonly (readonly number[])[];
  /** The number of occurrences of each word in these lines. */
  readonly counts: Uint32Array;
}

/** Numbers the words of lines and caches the result, since many refusals search the same lines. */
export class LineWords {
  readonly #numbers = new Map<string, number>();
  readonly #byLine = new Map<string, readonly number[]>();
  #last: { readonly lines: readonly string[]; readonly table: WordTable } | undefined;

  /** The number of distinct words so far; all word numbers are below it. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The numbers of the words of a line. */
  of(line: string): readonly number[] {
    return getOrInsert(this.#byLine, line, () => wordsOf(line).map((word) => this.#number(word)));
  }

  /** The table of some lines, cached by identity. The array must not change afterwards. */
  tableOf(lines: readonly string[]): WordTable {
    if (this.#last?.lines !== lines) {
      const numbers = lines.map((line) => this.of(line));
      const counts = new Uint32Array(this.#numbers.size);
      for (const line of numbers) for (const word of line) counts[word]!++;
      this.#last = { lines, table: { lines: numbers, counts } };
    }
    return this.#last.table;
  }

  #number(word: string): number {
    const number = this.#numbers.get(word) ?? this.#numbers.size;
    this.#numbers.set(word, number);
    return number;
  }
}
