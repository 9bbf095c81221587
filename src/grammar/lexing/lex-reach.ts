import { getOrInsert } from "../../text/index.ts";
import { isLineBreak } from "./layouts.ts";
import type { LexTables } from "./lex-tables.ts";

/** A match that an open lexeme can still reach. */
export interface ReachableMatch {
  /** The lexer's state there. */
  readonly state: number;
  /** A shortest text that leads to `state`; empty where the current state is itself a match. */
  readonly bytes: Uint8Array;
}

/** What an open lexeme can still become, for each state of the lexer; computed on demand. */
export class LexReach {
  readonly #lex: LexTables;
  readonly #preferred: PreferredBytes;
  readonly #trees = new Map<number, ReachTree>();
  readonly #matches = new Map<number, readonly ReachableMatch[]>();
  readonly #startTrees = new Map<number, ReachTree>();
  /** The predecessors of each state. */
  #before: readonly (readonly number[])[] | undefined;

  constructor(lex: LexTables) {
    this.#lex = lex;
    this.#preferred = preferredBytes(lex);
  }

  /**
   * The distinct matches that are reachable from `state`, nearest first; a match of `state` itself
   * is one of them.
   */
  matches(state: number): readonly ReachableMatch[] {
    return getOrInsert(this.#matches, state, () => {
      const { match, brokenLine } = this.#lex;
      // Matches are needed for all states; their trees together would be large, so they are not
      // cached here.
      const tree = this.#trees.get(state) ?? new ReachTree(this.#lex, this.#preferred, state);
      const seen = new Set<number>();
      const found: ReachableMatch[] = [];
      for (const reached of tree.order) {
        const key = match[reached]! * 2 + brokenLine[reached]!;
        if (match[reached] === 0 || seen.has(key)) continue;
        seen.add(key);
        found.push({ state: reached, bytes: tree.pathTo(reached) });
      }
      return found;
    });
  }

  /**
   * The states that are reachable from a mode's start by texts whose first byte is a line break, or
   * is not.
   */
  begun(start: number, withLineBreak: boolean): ReachTree {
    const key = start * 2 + (withLineBreak ? 1 : 0);
    return getOrInsert(
      this.#startTrees,
      key,
      () => new ReachTree(this.#lex, this.#preferred, start, (byte) => isLineBreak(byte) === withLineBreak),
    );
  }

  /** The states from which one of `states` is reachable, those themselves included. */
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

  /** The states that are reachable from `state`, with a shortest path to each. */
  tree(state: number): ReachTree {
    return getOrInsert(this.#trees, state, () => new ReachTree(this.#lex, this.#preferred, state));
  }
}

/** The states that are reachable from one state, nearest first, with a shortest path to each. */
export class ReachTree {
  readonly order: readonly number[];
  readonly #cameFrom = new Map<number, readonly [state: number, byte: number]>();

  /** `mayBegin` restricts the first bytes of the paths; by default all are allowed. */
  constructor(
    { next, classCount }: LexTables,
    { bestByte, classes }: PreferredBytes,
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

  /** Whether `state` is reachable; the start is. */
  has(state: number): boolean {
    return state === this.order[0] || this.#cameFrom.has(state);
  }

  /** The bytes of a shortest path to `state`. */
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

/**
 * Which byte of each class to write: letters are preferred, then digits, then other visible
 * characters.
 */
export interface PreferredBytes {
  /** The byte to write for each class. */
  readonly bestByte: Uint8Array;
  /** The classes, in the order of preference. */
  readonly classes: readonly number[];
}

function preferredBytes({ classOf, classCount }: LexTables): PreferredBytes {
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

/** The matches that an open lexeme may end as, as it is or with more bytes. */
export interface Endings {
  readonly id: number;
  readonly hasTrivia: boolean;
  /** Indexes of the lexer's matches that are read as terminals. */
  readonly matches: readonly number[];
}

/** The possible endings of lexemes by lexer state; states with equal endings share one object. */
export class LexemeEndings {
  readonly #lex: LexTables;
  readonly #reach: LexReach;
  readonly #byState: (Endings | undefined)[] = [];
  readonly #same = new Map<string, Endings>();

  constructor(lex: LexTables, reach: LexReach) {
    this.#lex = lex;
    this.#reach = reach;
  }

  /** The possible endings of a lexeme in `state`. */
  of(state: number): Endings {
    const known = this.#byState[state];
    if (known !== undefined) return known;
    const { match, matches } = this.#lex;
    const found = [...new Set(this.#reach.matches(state).map((reached) => match[reached.state]!))];
    const key = found.sort((a, b) => a - b).join();
    const endings = getOrInsert(this.#same, key, () => ({
      id: this.#same.size,
      hasTrivia: found.some((each) => matches[each]!.isTrivia),
      matches: found.filter((each) => matches[each]!.readings.length > 0),
    }));
    this.#byState[state] = endings;
    return endings;
  }
}
