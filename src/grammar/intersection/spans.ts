import type { FiniteAutomaton } from "./finite-automaton.ts";

/** A symbol of a production. */
export interface ContextFreeSymbol {
  readonly kind: "terminal" | "nonterminal";
  readonly name: string;
}

/** A production; an empty `right` is the empty word. */
export interface ContextFreeProduction {
  readonly left: string;
  readonly right: readonly ContextFreeSymbol[];
}

/** An item: the symbols of a production before `dot` lead from one state to another. */
interface Item {
  readonly production: ContextFreeProduction;
  readonly dot: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Computes which nonterminals of a grammar can lead from one state of an automaton to another by
 * some word.
 *
 * It works bottom-up, so that time and memory depend on the pairs that exist. Source: reachability
 * over a context-free language, as in Reps 1998, "Program Analysis via Graph Reachability".
 */
export class Spans {
  /** By nonterminal and start state, the end states. */
  readonly #ends = new Map<string, Set<number>[]>();
  readonly #productions: readonly ContextFreeProduction[];
  readonly #automaton: FiniteAutomaton;
  /** Items with the dot before a nonterminal, by that nonterminal and their end state. */
  readonly #waiting = new Map<string, Item[][]>();
  readonly #work: Item[] = [];
  readonly #seen = new Map<ContextFreeProduction, Set<number>>();

  constructor(productions: readonly ContextFreeProduction[], automaton: FiniteAutomaton) {
    this.#productions = productions;
    this.#automaton = automaton;
    for (const { left, right } of productions) {
      for (const name of [left, ...right.filter(({ kind }) => kind === "nonterminal").map((symbol) => symbol.name)]) {
        if (this.#ends.has(name)) continue;
        this.#ends.set(
          name,
          Array.from(automaton.transitions, () => new Set()),
        );
        this.#waiting.set(
          name,
          Array.from(automaton.transitions, () => []),
        );
      }
    }
    this.#solve();
  }

  /** Whether some word of `nonterminal` leads from state `from` to state `to`. */
  has(nonterminal: string, from: number, to: number): boolean {
    return this.endsOf(nonterminal, from).has(to);
  }

  /** The states that words of `nonterminal` can lead to from state `from`. */
  endsOf(nonterminal: string, from: number): ReadonlySet<number> {
    return this.#ends.get(nonterminal)?.[from] ?? new Set();
  }

  #solve(): void {
    for (const production of this.#productions) {
      for (let state = 0; state < this.#automaton.stateCount; state++) {
        this.#reach({ production, dot: 0, from: state, to: state });
      }
    }
    for (let item = this.#work.pop(); item !== undefined; item = this.#work.pop()) this.#advance(item);
  }

  #advance(item: Item): void {
    const { production, dot, from, to } = item;
    const next = production.right[dot];
    if (next === undefined) {
      const ends = this.#ends.get(production.left)![from]!;
      if (ends.has(to)) return;
      ends.add(to);
      for (const waiting of this.#waiting.get(production.left)![from]!) {
        this.#reach({ ...waiting, dot: waiting.dot + 1, to });
      }
    } else if (next.kind === "terminal") {
      for (const step of this.#automaton.transitions[to]!) {
        if (step.terminal === next.name) this.#reach({ ...item, dot: dot + 1, to: step.to });
      }
    } else {
      this.#waiting.get(next.name)![to]!.push(item);
      for (const end of this.#ends.get(next.name)![to]!) this.#reach({ ...item, dot: dot + 1, to: end });
    }
  }

  #reach(item: Item): void {
    const { stateCount } = this.#automaton;
    let seen = this.#seen.get(item.production);
    if (seen === undefined) {
      seen = new Set();
      this.#seen.set(item.production, seen);
    }
    const key = (item.dot * stateCount + item.from) * stateCount + item.to;
    if (seen.has(key)) return;
    seen.add(key);
    this.#work.push(item);
  }
}
