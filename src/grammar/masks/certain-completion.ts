import type { StackNode } from "../reading/stack.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";

/**
 * Finds the states whose items can be completed whatever text follows.
 *
 * A grammar is reduced, so each symbol derives some text, but a condition on the next terminal may
 * never hold: after `Name` in `S = Name NoName Name`, where `NoName` forbids a name, nothing can
 * come. An item counts only where the rest of its production derives a text without conditions.
 */
export class CertainCompletion {
  readonly #grammar: CompiledGrammar;
  /** The state of a symbol that is not known; everything on it can be completed. */
  readonly #unknownState: number;
  /** Whether each symbol derives a text without conditions. */
  readonly #isFree: readonly boolean[];
  /** Results, by the id of a node. */
  #known: boolean[] = [];

  constructor(grammar: CompiledGrammar, unknownState: number) {
    this.#grammar = grammar;
    this.#unknownState = unknownState;
    this.#isFree = symbolsWithoutConditions(grammar);
  }

  /** Drops the results, which belong to the nodes of one parser. */
  forget(): void {
    this.#known = [];
  }

  /**
   * Whether what is begun on the known symbols of a stack can be completed down to the unknown
   * ones. `false` does not mean that it cannot.
   */
  isCertain(node: StackNode): boolean {
    this.#known[node.id] ??= this.#search(node);
    return this.#known[node.id]!;
  }

  #search(top: StackNode): boolean {
    const { tables } = this.#grammar;
    const nonterminals = tables.nonterminals.length;
    const seen = new Set<number>();
    const work: { readonly state: number; readonly below: readonly StackNode[] }[] = [top];
    for (let one = work.pop(); one !== undefined; one = work.pop()) {
      if (one.state === tables.acceptState || one.state === this.#unknownState) return true;
      for (let item = tables.itemStart[one.state]!; item < tables.itemStart[one.state + 1]!; item++) {
        const production = tables.itemProduction[item]!;
        const dot = tables.itemDot[item]!;
        if (!this.#isRestFree(production, dot)) continue;
        for (const under of ancestors(one.below, dot - 1)) {
          if (under.state === this.#unknownState) return true;
          const state = tables.goto[under.state * nonterminals + tables.productionLeft[production]!]!;
          const key = under.id * tables.stateCount + state;
          if (state === 0 || seen.has(key)) continue;
          seen.add(key);
          work.push({ state, below: [under] });
        }
      }
    }
    return false;
  }

  #isRestFree(production: number, dot: number): boolean {
    const right = this.#grammar.tables.productionRight[production]!;
    for (let at = dot; at < right.length; at++) if (!this.#isFree[right[at]!]) return false;
    return true;
  }
}

/** The nodes `levels` below each of `nodes`. */
function ancestors(nodes: readonly StackNode[], levels: number): readonly StackNode[] {
  let found = nodes;
  for (let left = levels; left > 0; left--) found = [...new Set(found.flatMap(({ below }) => below))];
  return found;
}

function symbolsWithoutConditions({ tables, virtuals }: CompiledGrammar): readonly boolean[] {
  const terminals = tables.terminals.length;
  const isFree = Array.from({ length: terminals + tables.nonterminals.length }, (_, symbol) => symbol < terminals);
  for (const { terminal } of virtuals) isFree[terminal] = false;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [production, right] of tables.productionRight.entries()) {
      const left = terminals + tables.productionLeft[production]!;
      if (isFree[left] || !right.every((symbol) => isFree[symbol])) continue;
      isFree[left] = true;
      hasChanged = true;
    }
  }
  return isFree;
}
