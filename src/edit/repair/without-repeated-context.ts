import type { LineRange } from "../line-range.ts";

/** The lines at each edge of a block that are compared; as many are shown around it. */
const maxRepeated = 3;

/**
 * Returns other readings of the lines for a block: without lines at their edges that repeat the
 * lines above the block, below it, or both. Empty where nothing is repeated, or where the block
 * repeats them itself.
 *
 * `lines` are those of the whole text. Blank lines and lone brackets repeat by chance, and count
 * only together with others.
 */
export function withoutRepeatedContext(
  written: readonly string[],
  lines: readonly string[],
  block: LineRange,
): readonly (readonly string[])[] {
  const above = lines.slice(Math.max(0, block.start - maxRepeated), block.start);
  const below = lines.slice(block.end, block.end + maxRepeated);
  const original = lines.slice(block.start, block.end);
  const repeatedAbove = (of: readonly string[]) =>
    countRepeated(above.length, (count) => [of.slice(0, count), above.slice(above.length - count)]);
  const repeatedBelow = (of: readonly string[]) =>
    countRepeated(below.length, (count) => [of.slice(of.length - count), below.slice(0, count)]);
  const first = repeatedAbove(original) > 0 ? 0 : repeatedAbove(written);
  const last = repeatedBelow(original) > 0 ? 0 : repeatedBelow(written);
  const cuts = [
    ...(first > 0 && last > 0 ? [[first, last] as const] : []),
    ...(first > 0 ? [[first, 0] as const] : []),
    ...(last > 0 ? [[0, last] as const] : []),
  ];
  return cuts
    .filter(([front, back]) => front + back < written.length)
    .map(([front, back]) => written.slice(front, written.length - back));
}

function countRepeated(
  most: number,
  edges: (count: number) => readonly [readonly string[], readonly string[]],
): number {
  for (let count = most; count > 0; count--) {
    const [mine, theirs] = edges(count);
    if (mine.length !== count || !mine.some((line) => /\w/.test(line))) continue;
    if (mine.every((line, i) => line === theirs[i])) return count;
  }
  return 0;
}
