import type { CharacterSet } from "./pattern.ts";

/**
 * How the characters of a set are spelt in UTF-8: a graph of bytes in which the same continuations
 * are one.
 *
 * Node 0 is the end of a character. Each node has its edges as `[first, last, node, ...]`: sorted,
 * disjoint ranges of bytes, inclusive, and where they lead.
 */
export interface CharacterBytes {
  readonly edges: readonly (readonly number[])[];
  /** The node before the first byte. */
  readonly root: number;
}

/** The spellings of the characters of `set`. */
export function bytesOfCharacters(set: CharacterSet): CharacterBytes {
  const known = spellings.get(set);
  if (known !== undefined) return known;
  const edges: number[][] = [[]];
  const nodes = new Map<string, number>();

  /**
   * The node before `length` more bytes that spell one of `ranges`, numbers below `64 ** length`.
   */
  const continued = (length: number, ranges: readonly number[]): number => {
    if (length === 0) return 0;
    const key = `${length}:${ranges}`;
    const seen = nodes.get(key);
    if (seen !== undefined) return seen;
    const own: number[] = [];
    addEdges(own, 0x80, length - 1, ranges);
    const node = edges.push(own) - 1;
    nodes.set(key, node);
    return node;
  };

  /**
   * Adds the edges of bytes from `base` on, which are followed by `length` more, for `ranges` of
   * numbers.
   */
  const addEdges = (own: number[], base: number, length: number, ranges: readonly number[]): void => {
    const each = 64 ** length;
    let within: number[] = [];
    let index = -1;
    const close = () => {
      if (index < 0) return;
      const node = continued(length, within);
      const end = own.length;
      if (end > 0 && own[end - 2] === base + index - 1 && own[end - 1] === node) own[end - 2] = base + index;
      else own.push(base + index, base + index, node);
    };
    for (let i = 0; i < ranges.length; i += 2) {
      for (let first = ranges[i]!; first <= ranges[i + 1]!; ) {
        const at = Math.floor(first / each);
        const last = Math.min(ranges[i + 1]!, (at + 1) * each - 1);
        if (at !== index) {
          close();
          index = at;
          within = [];
        }
        within.push(first - at * each, last - at * each);
        first = last + 1;
      }
    }
    close();
  };

  const root: number[] = [];
  for (const [length, first, last, base] of lengths) {
    const ranges: number[] = [];
    for (let i = 0; i < set.length; i += 2) {
      const [from, to] = [Math.max(first, set[i]!), Math.min(last, set[i + 1]!)];
      if (from <= to) ranges.push(from, to);
    }
    addEdges(root, base, length - 1, ranges);
  }
  const spelling = { edges, root: edges.push(root) - 1 };
  spellings.set(set, spelling);
  return spelling;
}

const spellings = new WeakMap<CharacterSet, CharacterBytes>();

/**
 * The characters that take as many bytes, and the first byte that a character of the number 0 would
 * have.
 */
const lengths: readonly (readonly [length: number, first: number, last: number, base: number])[] = [
  [1, 0, 0x7f, 0],
  [2, 0x80, 0x7ff, 0xc0],
  [3, 0x800, 0xffff, 0xe0],
  [4, 0x10000, 0x10ffff, 0xf0],
];
