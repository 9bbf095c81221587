import { addToGroup } from "../../text/index.ts";
import type { LexReach } from "../lexing/lex-reach.ts";
import { anySpacing } from "../reading/spacing.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import type { Control } from "./suffix-control.ts";
import type { OpenLexeme, SuffixLexer } from "./suffix-lexer.ts";

/** The continuation of lexemes that can't continue into the suffix. */
export const noContinuation = 0;

/**
 * What follows when an open lexeme, extended in the hole or not, continues into the suffix. Many
 * lexer states share the same continuation, so continuations are numbered.
 */
export class TokenContinuation {
  readonly #lexer: SuffixLexer;
  readonly #reach: LexReach;
  readonly #stateCount: number;
  /** The continuation of each lexer state, by the other properties of a lexeme. */
  readonly #continuations: (Uint32Array | undefined)[] = [];
  readonly #controls: (readonly Control[])[] = [[]];
  readonly #numbers = new Map<string, number>();
  readonly #unions = new PairMap();

  /** `stateCount`: the number of lexer states. */
  constructor(lexer: SuffixLexer, reach: LexReach, stateCount: number) {
    this.#lexer = lexer;
    this.#reach = reach;
    this.#stateCount = stateCount;
  }

  /** The continuation of a lexeme, by number. */
  continuationOf({ state, beganWithLineBreak }: OpenLexeme, isSuspended: boolean): number {
    // Where line breaks are trivia, the first byte of a lexeme does not matter.
    const endsLine = beganWithLineBreak && !isSuspended;
    const key = (endsLine ? 2 : 0) + (isSuspended ? 1 : 0);
    let continuations = this.#continuations[key];
    if (continuations === undefined) {
      continuations = this.#find(endsLine, isSuspended);
      this.#continuations[key] = continuations;
    }
    return continuations[state]!;
  }

  /** The controls behind the lexeme for a continuation. */
  controls(continuations: number): readonly Control[] {
    return this.#controls[continuations]!;
  }

  #find(beganWithLineBreak: boolean, isSuspended: boolean): Uint32Array {
    /** The states that continue without being extended, by continuation. */
    const running = new Map<number, number[]>();
    for (let state = 1; state < this.#stateCount; state++) {
      const controls = this.#lexer.continueLexeme(0, { state, beganWithLineBreak }, anySpacing, isSuspended) ?? [];
      if (controls.length === 0) continue;
      const own = this.#numberOf(controls);
      addToGroup(running, own, state);
    }
    const continuations = new Uint32Array(this.#stateCount);
    for (const [own, states] of running) {
      for (const state of this.#reach.reaching(states)) continuations[state] = this.#union(continuations[state]!, own);
    }
    return continuations;
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

  #union(some: number, others: number): number {
    if (some === noContinuation || some === others) return others;
    const known = this.#unions.get(some, others);
    if (known !== absent) return known;
    const union = this.#numberOf([...new Set([...this.controls(some), ...this.controls(others)])]);
    this.#unions.set(some, others, union);
    return union;
  }
}
