import type { LineRange } from "./line-range.ts";

/** How many lines beside a block are looked for at its edges; as many are shown of what stands around it. */
const maxEcho = 3;

/**
 * What else lines for a block may mean: without those at their edges that repeat the lines above the block, below it, or
 * both. Empty where nothing is repeated that the block does not repeat itself.
 *
 * `lines` are those of the whole text. Blank lines and lone brackets repeat by chance, and count only beside others.
 */
export function withoutEchoes(
  written: readonly string[],
  lines: readonly string[],
  block: LineRange,
): readonly (readonly string[])[] {
  const above = lines.slice(Math.max(0, block.start - maxEcho), block.start);
  const below = lines.slice(block.end, block.end + maxEcho);
  const was = lines.slice(block.start, block.end);
  const echoAbove = (of: readonly string[]) =>
    echoed(above.length, (count) => [of.slice(0, count), above.slice(above.length - count)]);
  const echoBelow = (of: readonly string[]) =>
    echoed(below.length, (count) => [of.slice(of.length - count), below.slice(0, count)]);
  const first = echoAbove(was) > 0 ? 0 : echoAbove(written);
  const last = echoBelow(was) > 0 ? 0 : echoBelow(written);
  const cuts = [
    ...(first > 0 && last > 0 ? [[first, last] as const] : []),
    ...(first > 0 ? [[first, 0] as const] : []),
    ...(last > 0 ? [[0, last] as const] : []),
  ];
  return cuts
    .filter(([front, back]) => front + back < written.length)
    .map(([front, back]) => written.slice(front, written.length - back));
}

function echoed(most: number, edges: (count: number) => readonly [readonly string[], readonly string[]]): number {
  for (let count = most; count > 0; count--) {
    const [mine, theirs] = edges(count);
    if (mine.length !== count || !mine.some((line) => /\w/.test(line))) continue;
    if (mine.every((line, i) => line === theirs[i])) return count;
  }
  return 0;
}
