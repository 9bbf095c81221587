import type { LexReach } from "../lexing/lex-reach.ts";
import { anySpacing } from "../reading/spacing.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme, SuffixLexer } from "./suffix-lexer.ts";

/** Nothing may follow: the lexeme cannot run on. */
export const noWays = 0;

/**
 * What may follow when a lexeme that is open in a hole continues in it, or not, and then runs on
 * into the text behind it. Many states of the lexer have the same ways on, so that these are
 * numbered.
 */
export class TokenContinuation {
  readonly #lexer: SuffixLexer;
  readonly #reach: LexReach;
  readonly #stateCount: number;
  /** The ways of each state of the lexer, by what else matters of a lexeme. */
  readonly #ways: (Uint32Array | undefined)[] = [];
  readonly #controls: (readonly Control[])[] = [[]];
  readonly #numbers = new Map<string, number>();
  readonly #joined = new PairMap();

  /** `stateCount`: how many states the lexer has. */
  constructor(lexer: SuffixLexer, reach: LexReach, stateCount: number) {
    this.#lexer = lexer;
    this.#reach = reach;
    this.#stateCount = stateCount;
  }

  /** The number of the ways on of a lexeme. */
  waysOf({ state, beganWithLineBreak }: OpenLexeme, isSuspended: boolean): number {
    // Where line breaks mean nothing, it does not matter what a lexeme began with.
    const endsLine = beganWithLineBreak && !isSuspended;
    const key = (endsLine ? 2 : 0) + (isSuspended ? 1 : 0);
    let ways = this.#ways[key];
    if (ways === undefined) {
      ways = this.#find(endsLine, isSuspended);
      this.#ways[key] = ways;
    }
    return ways[state]!;
  }

  /** What follows on each of the ways with this number. */
  controls(ways: number): readonly Control[] {
    return this.#controls[ways]!;
  }

  #find(beganWithLineBreak: boolean, isSuspended: boolean): Uint32Array {
    /** The states that run on as they are, by what follows then. */
    const running = new Map<number, number[]>();
    for (let state = 1; state < this.#stateCount; state++) {
      const controls = this.#lexer.continueLexeme(0, { state, beganWithLineBreak }, anySpacing, isSuspended) ?? [];
      if (controls.length === 0) continue;
      const own = this.#numberOf(controls);
      const states = running.get(own);
      if (states === undefined) running.set(own, [state]);
      else states.push(state);
    }
    const ways = new Uint32Array(this.#stateCount);
    for (const [own, states] of running) {
      for (const state of this.#reach.reaching(states)) ways[state] = this.#join(ways[state]!, own);
    }
    return ways;
  }

  #numberOf(controls: readonly Control[]): number {
    const sorted = controls.toSorted((a, b) => a.id - b.id);
    const key = sorted.map(({ id }) => id).join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#controls.length;
    this.#controls.push(sorted);
    this.#numbers.set(key, number);
    return number;
  }

  #join(some: number, others: number): number {
    if (some === noWays || some === others) return others;
    const known = this.#joined.get(some, others);
    if (known !== absent) return known;
    const joined = this.#numberOf([...new Set([...this.controls(some), ...this.controls(others)])]);
    this.#joined.set(some, others, joined);
    return joined;
  }
}
