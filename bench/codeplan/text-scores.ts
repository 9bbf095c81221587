import { diffSequences } from "../../src/text/diff-sequences.ts";
import { mean } from "../percentile.ts";

/** One text of a file at three times: before, as it should be, and as it was made. */
export interface ScoredFile {
  readonly source: string;
  readonly target: string;
  readonly predicted: string;
}

/** A difference between two texts as a text; empty where there is none. */
export type DiffOf = (before: string, after: string) => string;

/**
 * DiffBLEU as the artifact computes it: BLEU of the textual differences, averaged over the files in
 * which both the target and the prediction differ from the source. Files that were missed, or
 * changed without need, do not count. From 0 to 1; `undefined` where no file counts.
 */
export function publishedDiffBleu(files: readonly ScoredFile[], diffOf: DiffOf = diffText): number | undefined {
  return tryMean(
    files.flatMap((file) => {
      const [wanted, made] = [diffOf(file.source, file.target), diffOf(file.source, file.predicted)];
      return wanted === "" || made === "" ? [] : [bleu(made, wanted)];
    }),
  );
}

/**
 * As {@link publishedDiffBleu}, but each file that either of them changed counts, with 0 where only
 * one did.
 */
export function honestDiffBleu(files: readonly ScoredFile[], diffOf: DiffOf = diffText): number | undefined {
  return tryMean(
    files.flatMap((file) => {
      const [wanted, made] = [diffOf(file.source, file.target), diffOf(file.source, file.predicted)];
      if (wanted === "" && made === "") return [];
      return [wanted === "" || made === "" ? 0 : bleu(made, wanted)];
    }),
  );
}

/** How many characters have to be put in, taken out or replaced, over all files. */
export function totalLevenshtein(files: readonly ScoredFile[]): number {
  return files.reduce((sum, { target, predicted }) => sum + levenshtein(predicted, target), 0);
}

/**
 * The least number of UTF-16 units to put in, take out or replace.
 *
 * Follows each diagonal of the table as far as so many edits lead, so that the time grows with the
 * edits and not with the texts: 7 ms for 300 kB with 189 edits, where `fastest-levenshtein` takes
 * 48 s. Source: Ukkonen, Algorithms for approximate string matching, 1985.
 */
export function levenshtein(one: string, other: string): number {
  const most = Math.max(one.length, other.length);
  // The place in `one` that is reached on each diagonal, and -2 where none is: diagonal 0 has the
  // same place in both, the next is one on in `other`.
  const zero = most + 1;
  let reached = new Int32Array(2 * most + 3).fill(-2);
  let next = reached.slice();
  reached[zero] = -1;
  for (let edits = 0; edits <= most; edits++) {
    for (let diagonal = -edits; diagonal <= edits; diagonal++) {
      const here = zero + diagonal;
      let place = Math.max(reached[here]! + 1, reached[here - 1]!, reached[here + 1]! + 1);
      place = Math.min(place, one.length, other.length - diagonal);
      while (place < one.length && place + diagonal < other.length && one[place] === other[place + diagonal]) place++;
      if (place === one.length && place + diagonal === other.length) return edits;
      next[here] = place;
    }
    [reached, next] = [next, reached];
  }
  return most;
}

/**
 * A difference as text, from its first hunk on: three lines around each change, as git prints it.
 * Empty where there is none.
 */
export function diffText(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const changes = diffSequences(old, now);
  const lines: string[] = [];
  for (let at = 0; at < changes.length; ) {
    let last = at;
    while (last + 1 < changes.length && changes[last + 1]!.beforeStart - changes[last]!.beforeEnd <= 2 * context)
      last++;
    const from = Math.max(0, changes[at]!.beforeStart - context);
    const to = Math.min(old.length, changes[last]!.beforeEnd + context);
    const shift = changes[at]!.afterStart - changes[at]!.beforeStart;
    const grown = changes[last]!.afterEnd - changes[last]!.beforeEnd;
    lines.push(`@@ -${from + 1},${to - from} +${from + shift + 1},${to + grown - from - shift} @@`);
    let line = from;
    for (const { beforeStart, beforeEnd, afterStart, afterEnd } of changes.slice(at, last + 1)) {
      lines.push(...old.slice(line, beforeStart).map((one) => ` ${one}`));
      lines.push(...old.slice(beforeStart, beforeEnd).map((one) => `-${one}`));
      lines.push(...now.slice(afterStart, afterEnd).map((one) => `+${one}`));
      line = beforeEnd;
    }
    lines.push(...old.slice(line, to).map((one) => ` ${one}`));
    at = last + 1;
  }
  return lines.join("\n");
}

const context = 3;

/**
 * BLEU with up to four words in a row and one reference, without smoothing, from 0 to 1. Source:
 * Papineni et al. 2002; words are split as by version 13a of the script `mteval`, which the
 * artifact's scorer takes.
 */
export function bleu(predicted: string, reference: string): number {
  const [made, wanted] = [wordsOf(predicted), wordsOf(reference)];
  if (made.length === 0) return 0;
  let logs = 0;
  for (let length = 1; length <= 4; length++) {
    const found = countRuns(made, length);
    const known = countRuns(wanted, length);
    let matched = 0;
    for (const [run, count] of found) matched += Math.min(count, known.get(run) ?? 0);
    const all = Math.max(0, made.length - length + 1);
    if (matched === 0 || all === 0) return 0;
    logs += Math.log(matched / all) / 4;
  }
  const brevity = made.length > wanted.length ? 1 : Math.exp(1 - wanted.length / made.length);
  return brevity * Math.exp(logs);
}

function wordsOf(text: string): string[] {
  return text
    .replaceAll("<skipped>", "")
    .replaceAll("-\n", "")
    .replaceAll("\n", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replace(/^|$/g, " ")
    .replace(/[!-&(-+/:-@[-`{-~]/g, " $& ")
    .replace(/([^0-9])([.,])/g, "$1 $2 ")
    .replace(/([.,])([^0-9])/g, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

function countRuns(words: readonly string[], length: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + length <= words.length; at++) {
    const run = words.slice(at, at + length).join(" ");
    counts.set(run, (counts.get(run) ?? 0) + 1);
  }
  return counts;
}

function tryMean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : mean(values);
}
