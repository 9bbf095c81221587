import { isLineBreak } from "./layouts.ts";
import type { LexTables } from "./lex-tables.ts";

/** A match that a lexeme can still come to. */
export interface ReachableMatch {
  /** The lexer's state there. */
  readonly state: number;
  /** The fewest bytes that lead there; empty the place of it is a match as it. */
  readonly bytes: Uint8Array;
}

/** What can still become of a lexeme, for each state of the lexer; found out when first asked. */
export class LexReach {
  readonly #lex: LexTables;
  readonly #liked: LikedBytes;
  readonly #trees = new Map<number, ReachTree>();
  readonly #matches = new Map<number, readonly ReachableMatch[]>();
  readonly #begun = new Map<number, ReachTree>();
  /** The states that lead to each by one byte. */
  #before: readonly (readonly number[])[] | undefined;

  constructor(lex: LexTables) {
    this.#lex = lex;
    this.#liked = likedBytes(lex);
  }

  /**
   * The different matches that can be reached from `state`, those nearest first; `state` itself
   * among them.
   */
  matches(state: number): readonly ReachableMatch[] {
    const known = this.#matches.get(state);
    if (known !== undefined) return known;
    const { match, brokenLine } = this.#lex;
    // Matches are asked for of all states: their trees together would be large, and are not kept.
    const tree = this.#trees.get(state) ?? new ReachTree(this.#lex, this.#liked, state);
    const seen = new Set<number>();
    const found: ReachableMatch[] = [];
    for (const reached of tree.order) {
      const key = match[reached]! * 2 + brokenLine[reached]!;
      if (match[reached] === 0 || seen.has(key)) continue;
      seen.add(key);
      found.push({ state: reached, bytes: tree.pathTo(reached) });
    }
    this.#matches.set(state, found);
    return found;
  }

  /**
   * The states that can be reached from a mode's start by a first byte that is a line break, or by
   * one that is not.
   */
  begun(start: number, withLineBreak: boolean): ReachTree {
    const key = start * 2 + (withLineBreak ? 1 : 0);
    const known = this.#begun.get(key);
    if (known !== undefined) return known;
    const tree = new ReachTree(this.#lex, this.#liked, start, (byte) => isLineBreak(byte) === withLineBreak);
    this.#begun.set(key, tree);
    return tree;
  }

  /** The states from which one of `states` can be reached, those themselves among them. */
  reaching(states: readonly number[]): readonly number[] {
    this.#before ??= statesBefore(this.#lex);
    const reaching = [...states];
    const isKnown = new Uint8Array(this.#lex.stateCount);
    for (const state of reaching) isKnown[state] = 1;
    for (const state of reaching) {
      for (const before of this.#before[state]!) {
        if (isKnown[before] === 1) continue;
        isKnown[before] = 1;
        reaching.push(before);
      }
    }
    return reaching;
  }

  /** The states that can be reached from `state`, and the shortest ways there. */
  tree(state: number): ReachTree {
    const known = this.#trees.get(state);
    if (known !== undefined) return known;
    const tree = new ReachTree(this.#lex, this.#liked, state);
    this.#trees.set(state, tree);
    return tree;
  }
}

/** The states that can be reached from one, nearest first, each with the way there. */
export class ReachTree {
  readonly order: readonly number[];
  readonly #cameFrom = new Map<number, readonly [state: number, byte: number]>();

  /** `mayBegin` says which first bytes there may be, where not all. */
  constructor(
    { next, classCount }: LexTables,
    { bestByte, classes }: LikedBytes,
    from: number,
    mayBegin?: (byte: number) => boolean,
  ) {
    const order = [from];
    for (const state of order) {
      for (const each of classes) {
        const to = next[state * classCount + each]!;
        if (to === 0 || to === from || this.#cameFrom.has(to)) continue;
        if (state === from && mayBegin?.(bestByte[each]!) === false) continue;
        this.#cameFrom.set(to, [state, bestByte[each]!]);
        order.push(to);
      }
    }
    this.order = order;
  }

  /** Whether `state` can be reached, the one to start from among them. */
  has(state: number): boolean {
    return state === this.order[0] || this.#cameFrom.has(state);
  }

  /** The bytes of a shortest way to `state`. */
  pathTo(state: number): Uint8Array {
    const bytes: number[] = [];
    for (let step = this.#cameFrom.get(state); step !== undefined; step = this.#cameFrom.get(step[0]))
      bytes.push(step[1]);
    return Uint8Array.from(bytes.reverse());
  }
}

function statesBefore({ next, stateCount, classCount }: LexTables): readonly (readonly number[])[] {
  const before = Array.from({ length: stateCount }, () => new Set<number>());
  for (let state = 1; state < stateCount; state++) {
    for (let each = 0; each < classCount; each++) {
      const to = next[state * classCount + each]!;
      if (to !== 0) before[to]!.add(state);
    }
  }
  return before.map((states) => [...states]);
}

/** What is written rather than something else: letters, then digits, then what can be seen. */
interface LikedBytes {
  /** For each class of bytes the one to write. */
  readonly bestByte: Uint8Array;
  /** The classes, the ones to write first. */
  readonly classes: readonly number[];
}

function likedBytes({ classOf, classCount }: LexTables): LikedBytes {
  const best = new Uint8Array(classCount);
  const rank = new Uint8Array(classCount).fill(255);
  for (let byte = 0; byte < 256; byte++) {
    const each = classOf[byte]!;
    const rankOfByte = rankOf(byte);
    if (rankOfByte >= rank[each]!) continue;
    rank[each] = rankOfByte;
    best[each] = byte;
  }
  const classes = [...best.keys()].sort((a, b) => rank[a]! - rank[b]!);
  return { bestByte: best, classes };
}

function rankOf(byte: number): number {
  if (byte >= 0x61 && byte <= 0x7a) return 0;
  if (byte >= 0x41 && byte <= 0x5a) return 1;
  if (byte >= 0x30 && byte <= 0x39) return 2;
  if (byte === 0x20) return 3;
  if (byte > 0x20 && byte < 0x7f) return 4;
  return byte === 0x0a ? 5 : 6;
}

/** What an open lexeme may end as, once more is written of it. */
export interface Endings {
  readonly id: number;
  readonly hasTrivia: boolean;
  /** The lexer's matches that stand for terminals. */
  readonly matches: readonly number[];
}

/**
 * What lexemes may end as, by the state that the lexer is in; many states have the same endings.
 */
export class LexemeEndings {
  readonly #lex: LexTables;
  readonly #reach: LexReach;
  readonly #byState: (Endings | undefined)[] = [];
  readonly #same = new Map<string, Endings>();

  constructor(lex: LexTables, reach: LexReach) {
    this.#lex = lex;
    this.#reach = reach;
  }

  /** What a lexeme that has come to `state` may end as. */
  of(state: number): Endings {
    const known = this.#byState[state];
    if (known !== undefined) return known;
    const { match, matches } = this.#lex;
    const found = [...new Set(this.#reach.matches(state).map((reached) => match[reached.state]!))];
    const key = found.sort((a, b) => a - b).join();
    let endings = this.#same.get(key);
    if (endings === undefined) {
      endings = {
        id: this.#same.size,
        hasTrivia: found.some((each) => matches[each]!.isTrivia),
        matches: found.filter((each) => matches[each]!.readings.length > 0),
      };
      this.#same.set(key, endings);
    }
    this.#byState[state] = endings;
    return endings;
  }
}
