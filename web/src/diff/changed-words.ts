import { diffSequences, type TextRange } from "../../../src/text/index.ts";

/** The ranges that differ, line by line. */
export interface ChangedWords {
  readonly before: readonly (readonly TextRange[])[];
  readonly after: readonly (readonly TextRange[])[];
}

/** The most characters of two lines whose words are compared: longer lines take too long. */
const maxLength = 2_000;
/**
 * The smallest common share of two lines' characters at which the lines count as one changed line.
 */
const leastShare = 0.4;

/**
 * The words that differ between removed lines and the lines that replace them, paired in order.
 * Pairs of dissimilar lines have no marked words.
 */
export function changedWords(before: readonly string[], after: readonly string[]): ChangedWords {
  const pairs = Array.from({ length: Math.min(before.length, after.length) }, (_, at) =>
    wordsOfPair(before[at]!, after[at]!),
  );
  return {
    before: before.map((_, at) => pairs[at]?.before ?? []),
    after: after.map((_, at) => pairs[at]?.after ?? []),
  };
}

interface PairWords {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

const none: PairWords = { before: [], after: [] };

function wordsOfPair(before: string, after: string): PairWords {
  if (before.length + after.length > maxLength) return none;
  const words = { before: wordsOf(before), after: wordsOf(after) };
  const changes = diffSequences(words.before, words.after);
  const ranges = {
    before: changes.flatMap(({ beforeStart, beforeEnd }) => rangeOf(words.before, beforeStart, beforeEnd)),
    after: changes.flatMap(({ afterStart, afterEnd }) => rangeOf(words.after, afterStart, afterEnd)),
  };
  const longer = Math.max(before.trim().length, after.trim().length);
  const kept = after.trim().length - ranges.after.reduce((sum, { start, end }) => sum + end - start, 0);
  return kept < longer * leastShare
    ? none
    : { before: joined(before, ranges.before), after: joined(after, ranges.after) };
}

/** Splits a line into words, runs of whitespace, and other single characters. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{N}_$]+|\s+|[^\p{L}\p{N}_$\s]/gu) ?? [];
}

function rangeOf(words: readonly string[], first: number, last: number): readonly TextRange[] {
  if (first === last) return [];
  const start = words.slice(0, first).reduce((sum, { length }) => sum + length, 0);
  return [{ start, end: words.slice(first, last).reduce((sum, { length }) => sum + length, start) }];
}

/** Joins ranges with only whitespace between them. */
function joined(line: string, ranges: readonly TextRange[]): readonly TextRange[] {
  const all: TextRange[] = [];
  for (const { start, end } of ranges) {
    const last = all.at(-1);
    if (last !== undefined && line.slice(last.end, start).trim() === "")
      all[all.length - 1] = { start: last.start, end };
    else all.push({ start, end });
  }
  return all;
}
