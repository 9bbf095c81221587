import { findRun } from "./find-run.ts";
import { lineHunks } from "./line-hunks.ts";

/** Lines to look for, and those to put in their place. */
export interface LineBlock {
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/** How {@link uniqueBlocks} makes blocks. */
export interface UniqueBlockOptions {
  /** How many lines that stay to give around each change, at least. */
  readonly contextLines: number;
  /** In how many places of the text the lines to look for are found; as lines in a row unless told. */
  readonly countPlaces?: (search: readonly string[], lines: readonly string[]) => number;
}

/**
 * Blocks that make `after` of `before` where they are replaced one after the other, from the top.
 *
 * The lines to look for are in one place only of what the blocks before have made of the text; where they would not be,
 * a block has more of the lines around it, until it holds the whole text. Without any lines before, the block has none
 * to look for.
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
    // No block looks for what another one puts in.
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

/** A hunk, and the lines `from` up to `to` that its block will look for. */
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

/** One more line, above and below by turns; `undefined` where there is no more. */
function grow(stretch: Stretch, first: number, last: number): Stretch | undefined {
  const { start, end, from, to } = stretch;
  const canRise = from > first;
  if (canRise && (start - from <= to - end || to === last)) return { ...stretch, from: from - 1 };
  return to < last ? { ...stretch, to: to + 1 } : undefined;
}
