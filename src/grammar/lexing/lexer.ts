import type { LexTables } from "./lex-tables.ts";
import { statesThatGoOn } from "./states-that-go-on.ts";

/** How far a lexeme was read. */
export interface Munch {
  /**
   * `match`: the lexeme is over. `none`: nothing matches. `open`: the bytes ended while it could
   * still go on, so that its longest match is not known yet.
   */
  readonly kind: "match" | "none" | "open";
  /**
   * Where the longest match so far ends, in bytes; where the lexeme starts, if nothing has matched.
   */
  readonly end: number;
  /** What has matched, as an index into `LexTables.matches`; 0 for nothing. */
  readonly match: number;
  /** The state at `end`; for an open lexeme, that behind the last byte. */
  readonly state: number;
  /** Whether what has matched holds a line break, where it is trivia. */
  readonly isBrokenLine: boolean;
}

/** Reads lexemes by the tables of a lexer, and knows what can become of one that is not over. */
export class Lexer {
  readonly lex: LexTables;
  readonly #canGoOn: Uint8Array;
  #reachable: readonly Uint32Array[] | undefined;

  constructor(lex: LexTables) {
    this.lex = lex;
    this.#canGoOn = statesThatGoOn(lex);
  }

  /** Whether any byte may follow in `state`. */
  canGoOn(state: number): boolean {
    return this.#canGoOn[state] === 1;
  }

  /**
   * The longest match in a mode, an index into `LexTables.modes`, of the bytes in `[start, end)`.
   */
  longestMatch(mode: number, bytes: Uint8Array, start: number, end: number): Munch {
    return this.longestMatchFrom(this.lex.modes[mode]!.start, bytes, start, end);
  }

  /**
   * The same for a lexeme that has come to `state` before `start`. What had matched until then is
   * the caller's to remember: it counts where nothing longer matches.
   */
  longestMatchFrom(state: number, bytes: Uint8Array, start: number, end: number): Munch {
    const { next, classOf, classCount, match, brokenLine } = this.lex;
    let current = state;
    let matchState = 0;
    let matchEnd = start;
    for (let at = start; at < end; ) {
      current = next[current * classCount + classOf[bytes[at]!]!]!;
      if (current === 0) break;
      at++;
      if (match[current] !== 0) {
        matchState = current;
        matchEnd = at;
      }
    }
    const isOpen = this.#canGoOn[current] === 1;
    return {
      kind: isOpen ? "open" : matchState === 0 ? "none" : "match",
      end: matchEnd,
      match: match[matchState]!,
      state: isOpen ? current : matchState,
      isBrokenLine: brokenLine[matchState] === 1,
    };
  }

  /**
   * The terminals that a lexeme which has come to `state` may still be read as, or begin with, as
   * it is or after more bytes: a bit each, terminal `t` in bit `t % 32` of number `t / 32`.
   */
  reachableTerminals(state: number): Uint32Array {
    this.#reachable ??= reachableTerminals(this.lex);
    return this.#reachable[state]!;
  }
}

function reachableTerminals({
  stateCount,
  classCount,
  next,
  match,
  matches,
  shortest,
}: LexTables): readonly Uint32Array[] {
  const words = (shortest.length + 31) >> 5;
  const reachable = Array.from({ length: stateCount }, () => new Uint32Array(words));
  const successors = reachable.map((bits, state) => {
    for (const reading of matches[match[state]!]!.readings) bits[reading[0]! >> 5]! |= 1 << (reading[0]! & 31);
    return Uint16Array.from(new Set(next.subarray(state * classCount, (state + 1) * classCount)));
  });
  // States are numbered from the starts on, so that going backwards few rounds are needed.
  for (let changed = true; changed; ) {
    changed = false;
    for (let state = stateCount - 1; state > 0; state--) {
      const bits = reachable[state]!;
      for (const successor of successors[state]!) {
        const more = reachable[successor]!;
        for (let word = 0; word < words; word++) {
          if ((more[word]! & ~bits[word]!) === 0) continue;
          bits[word]! |= more[word]!;
          changed = true;
        }
      }
    }
  }
  return reachable;
}
