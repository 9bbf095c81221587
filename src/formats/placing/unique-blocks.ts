import { findRun } from "./keyed-lines.ts";
import { lineHunks } from "./line-hunks.ts";

/** Lines to search, and their replacement. */
export interface LineBlock {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/** The options of {@link uniqueBlocks}. */
export interface UniqueBlockOptions {
  /** The least number of context lines around each change. */
  readonly contextLines: number;
  /** Counts the places of the searched lines; by default, as consecutive lines. */
  readonly countPlaces?: (search: readonly string[], lines: readonly string[]) => number;
}

/**
 * Creates blocks that turn `before` into `after` when they are applied one after the other from the
 * top.
 *
 * The searched lines are unique in the text that the previous blocks have produced; a block grows
 * by surrounding lines until they are, at most to the whole text. Where `before` is empty, the
 * block has no searched lines.
 */
export function uniqueBlocks(
  before: readonly string[],
  after: readonly string[],
  { contextLines, countPlaces = (search, lines) => findRun(search, lines).length }: UniqueBlockOptions,
): readonly LineBlock[] {
  if (before.length === 0) return after.length === 0 ? [] : [{ search: [], replace: after }];
  const stretches = lineHunks(before, after).map(
    (hunk): Stretch => ({
      ...hunk,
      from: Math.max(0, hunk.start - contextLines),
      to: Math.min(before.length, hunk.end + contextLines),
    }),
  );
  const blocks: LineBlock[] = [];
  let done: readonly string[] = [];
  let passed = 0;
  for (let i = 0; i < stretches.length; ) {
    let stretch = stretches[i++]!;
    // No block searches text that another one inserts.
    stretch = { ...stretch, from: Math.max(stretch.from, passed) };
    const now = [...done, ...before.slice(passed)];
    for (;;) {
      while (i < stretches.length && stretches[i]!.from < stretch.to) stretch = join(stretch, stretches[i++]!, before);
      const search = before.slice(stretch.from, stretch.to);
      if (search.some((line) => /[\p{L}\p{N}]/u.test(line)) && countPlaces(search, now) === 1) break;
      const grown = grow(stretch, passed, before.length);
      if (grown === undefined) return [{ search: before, replace: after }];
      stretch = grown;
    }
    const { start, end, from, to, lines } = stretch;
    const replace = [...before.slice(from, start), ...lines, ...before.slice(end, to)];
    blocks.push({ search: before.slice(from, to), replace });
    done = [...done, ...before.slice(passed, from), ...replace];
    passed = to;
  }
  return blocks;
}

/** A hunk, and the lines `from` up to `to` that its block searches. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
  readonly from: number;
  readonly to: number;
}

function join(a: Stretch, b: Stretch, before: readonly string[]): Stretch {
  const lines = [...a.lines, ...before.slice(a.end, b.start), ...b.lines];
  return { start: a.start, end: b.end, lines, from: Math.min(a.from, b.from), to: Math.max(a.to, b.to) };
}

/** Adds a line, alternately above and below; `undefined` where there is none left. */
function grow(stretch: Stretch, first: number, last: number): Stretch | undefined {
  const { start, end, from, to } = stretch;
  const canRise = from > first;
  if (canRise && (start - from <= to - end || to === last)) return { ...stretch, from: from - 1 };
  return to < last ? { ...stretch, to: to + 1 } : undefined;
}
