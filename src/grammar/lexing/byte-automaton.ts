import { otherCharacters, sharedCharacters } from "./character-set.ts";
import type { CharacterSet, Pattern } from "./pattern.ts";

/** The most nodes; a pattern with large counts can need more. */
const maxNodes = 200_000;

/**
 * A nondeterministic automaton over the bytes of UTF-8, built from patterns.
 *
 * Source: Thompson 1968, "Regular expression search algorithm".
 */
export class ByteAutomaton {
  /** The edges of each node over inclusive ranges of bytes: `[first, last, node, ...]`. */
  readonly edges: number[][] = [];
  /** The empty transitions of each node. */
  readonly empty: number[][] = [];
  /** For patterns in layers: the nodes that are reached by texts with a line break. */
  readonly behindNewline = new Set<number>();

  get nodeCount(): number {
    return this.edges.length;
  }

  /** Whether the automaton exceeds its limit; then nothing more is added. */
  get isTooLarge(): boolean {
    return this.edges.length > maxNodes;
  }

  node(): number {
    this.empty.push([]);
    return this.edges.push([]) - 1;
  }

  /** Adds paths from `from` to `to` for the texts that `pattern` matches. */
  addPattern(pattern: Pattern, from: number, to: number): void {
    new PatternWriter(this, undefined).add(pattern, from, to);
  }

  /**
   * Adds paths from `from` for the texts that `pattern` matches: to `to + 1` for texts that contain
   * a character of `newline`, to `to` for the others. Both nodes must exist.
   */
  addPatternInLayers(pattern: Pattern, newline: CharacterSet, from: number, to: number): void {
    const writer = new PatternWriter(this, newline);
    const start = writer.node();
    this.empty[from]!.push(start);
    this.behindNewline.add(to + 1);
    writer.add(pattern, start, to);
  }
}

/**
 * Adds patterns to an automaton; with `newline` in two layers, where the copy of a node behind a
 * line break is the next node.
 */
class PatternWriter {
  readonly #automaton: ByteAutomaton;
  readonly #newline: CharacterSet | undefined;

  constructor(automaton: ByteAutomaton, newline: CharacterSet | undefined) {
    this.#automaton = automaton;
    this.#newline = newline;
  }

  node(): number {
    const node = this.#automaton.node();
    if (this.#newline !== undefined) this.#automaton.behindNewline.add(this.#automaton.node());
    return node;
  }

  add(pattern: Pattern, from: number, to: number): void {
    if (this.#automaton.isTooLarge) return;
    switch (pattern.kind) {
      case "characters":
        this.#addCharacters(pattern.set, from, to);
        break;
      case "text": {
        const sets = Array.from(pattern.text, (text): CharacterSet => [text.codePointAt(0)!, text.codePointAt(0)!]);
        this.#addChain(sets, from, to, (set, start, end) => this.#addCharacters(set, start, end));
        break;
      }
      case "sequence":
        this.#addChain(pattern.items, from, to, (item, start, end) => this.add(item, start, end));
        break;
      case "choice":
        for (const item of pattern.items) this.add(item, from, to);
        break;
      case "repeat":
        this.#addRepeat(pattern.item, pattern.min, pattern.max, from, to);
        break;
    }
  }

  #addChain<T>(
    links: readonly T[],
    from: number,
    to: number,
    add: (link: T, start: number, end: number) => void,
  ): void {
    if (links.length === 0) this.#addEmpty(from, to);
    let start = from;
    for (const [i, link] of links.entries()) {
      const end = i === links.length - 1 ? to : this.node();
      add(link, start, end);
      start = end;
    }
  }

  #addRepeat(item: Pattern, min: number, max: number, from: number, to: number): void {
    let start = from;
    for (let i = 0; i < min && !this.#automaton.isTooLarge; i++) {
      const end = this.node();
      this.add(item, start, end);
      start = end;
    }
    if (max === Number.POSITIVE_INFINITY) {
      // A separate node: no other pattern that starts or ends at `from` or `to` may enter the loop.
      const loop = this.node();
      this.#addEmpty(start, loop);
      this.add(item, loop, loop);
      this.#addEmpty(loop, to);
      return;
    }
    for (let i = min; i < max && !this.#automaton.isTooLarge; i++) {
      this.#addEmpty(start, to);
      const end = this.node();
      this.add(item, start, end);
      start = end;
    }
    this.#addEmpty(start, to);
  }

  #addEmpty(from: number, to: number): void {
    const { empty } = this.#automaton;
    empty[from]!.push(to);
    if (this.#newline !== undefined) empty[from + 1]!.push(to + 1);
  }

  #addCharacters(set: CharacterSet, from: number, to: number): void {
    if (this.#newline === undefined) {
      this.#addBytes(set, from, to);
      return;
    }
    this.#addBytes(sharedCharacters(set, otherCharacters(this.#newline)), from, to);
    this.#addBytes(sharedCharacters(set, this.#newline), from, to + 1);
    this.#addBytes(set, from + 1, to + 1, true);
  }

  #addBytes(set: CharacterSet, from: number, to: number, isBehind = false): void {
    const encoding = bytesOfCharacters(set);
    const nodes = encoding.edges.map((_, i) => {
      if (i === 0) return to;
      if (i === encoding.root) return from;
      const node = this.#automaton.node();
      if (isBehind) this.#automaton.behindNewline.add(node);
      return node;
    });
    for (const [i, edges] of encoding.edges.entries()) {
      const own = this.#automaton.edges[nodes[i]!]!;
      for (let e = 0; e < edges.length; e += 3) own.push(edges[e]!, edges[e + 1]!, nodes[edges[e + 2]!]!);
    }
  }
}

/**
 * The UTF-8 encodings of the characters of a set, as a graph of bytes with shared continuations.
 *
 * Node 0 is the end of a character. Each node has its edges as `[first, last, node, ...]`: sorted,
 * disjoint, inclusive ranges of bytes and their targets.
 */
export interface CharacterBytes {
  readonly edges: readonly (readonly number[])[];
  /** The start node. */
  readonly root: number;
}

/** The UTF-8 encodings of the characters of `set`, cached by the array. */
export function bytesOfCharacters(set: CharacterSet): CharacterBytes {
  const known = encodings.get(set);
  if (known !== undefined) return known;
  const edges: number[][] = [[]];
  const nodes = new Map<string, number>();

  /**
   * The node before `length` more bytes that encode one of `ranges`, numbers below `64 ** length`.
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
   * Adds edges for bytes from `base` on, each followed by `length` more bytes, for `ranges` of
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
  const encoding = { edges, root: edges.push(root) - 1 };
  encodings.set(set, encoding);
  return encoding;
}

const encodings = new WeakMap<CharacterSet, CharacterBytes>();

/**
 * The characters of each encoded length, and the first byte of an encoding with all value bits 0.
 */
const lengths: readonly (readonly [length: number, first: number, last: number, base: number])[] = [
  [1, 0, 0x7f, 0],
  [2, 0x80, 0x7ff, 0xc0],
  [3, 0x800, 0xffff, 0xe0],
  [4, 0x10000, 0x10ffff, 0xf0],
];
