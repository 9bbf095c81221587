import { diffSequences } from "../text/index.ts";
import { LineWords } from "./line-words.ts";
import type { NearestLines } from "./refusal.ts";

/**
 * The stretches of a file that are most like some lines, best first, for people and models to look at; at most three,
 * none of which overlap. Nothing is ever put there.
 *
 * Stretches as long as what is looked for are weighed by the words that they share, rare ones more; the best of these by
 * their longest common sequence of lines. Time is linear in the size of the file; `words` keeps what most of it goes into
 * for the next search.
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

  // How many of each word the stretch has, and what those that are wanted weigh together.
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
  return bestApart(weights, length, least)
    .map((start) => ({ start, lines: lines.slice(start, start + length) }))
    .map((stretch) => ({ stretch, score: likeness(search, stretch.lines) + weights[stretch.start]! * 1e-6 }))
    .sort((a, b) => b.score - a.score || a.stretch.start - b.stretch.start)
    .slice(0, 3)
    .map(({ stretch }) => ({ start: stretch.start, lines: stretch.lines.slice(0, longest) }));
}

/** How much of the weight of what is looked for a stretch must have to be worth a look. */
const leastShare = 0.3;
/** How many lines of a stretch are shown. */
const longest = 40;
/** How many stretches are compared line by line. */
const compared = 8;

function weightOfAll(words: ReadonlyMap<number, number>, weightOf: (word: number) => number): number {
  let sum = 0;
  for (const [word, count] of words) sum += count * weightOf(word);
  return sum;
}

/** The stretches of greatest weight that do not overlap. */
function bestApart(weights: Float64Array, length: number, least: number): readonly number[] {
  // A stretch is worth a look only where none that overlaps it weighs more; so few are left to sort.
  const peaks: number[] = [];
  for (const [i, weight] of weights.entries()) {
    if (weight < least || weight === 0) continue;
    const last = peaks.at(-1);
    if (last === undefined || last + length <= i) peaks.push(i);
    else if (weight > weights[last]!) peaks[peaks.length - 1] = i;
  }
  return peaks.sort((a, b) => weights[b]! - weights[a]! || a - b).slice(0, compared);
}

/** The share of lines that two stretches have in common, blanks aside, from 0 to 1. */
function likeness(a: readonly string[], b: readonly string[]): number {
  const before = a.map((line) => line.trim());
  const after = b.map((line) => line.trim());
  const changed = diffSequences(before, after).reduce((sum, change) => sum + change.beforeEnd - change.beforeStart, 0);
  return (before.length - changed) / Math.max(before.length, after.length);
}
