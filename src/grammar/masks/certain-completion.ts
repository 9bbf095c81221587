import type { StackNode } from "../reading/stack.ts";
import type { CompiledGrammar, ParseTables } from "../tables/compiled-grammar.ts";

/**
 * Finds the states whose items can be completed.
 *
 * A grammar is reduced, so each symbol derives some text, but a condition may contradict what its
 * own production requires: after `Name` in `S = Name NoName Name`, where `NoName` forbids a name,
 * nothing can come. An item counts only where the rest of its production has no such condition.
 */
export class CertainCompletion {
  readonly #grammar: CompiledGrammar;
  /** The state of a symbol that is not known; everything on it can be completed. */
  readonly #unknownState: number;
  /** The last symbol of each production that is a contradicted condition, from 0; -1 for none. */
  readonly #contradictions: readonly number[];
  readonly #hasContradictions: boolean;
  /** Whether each symbol derives a text without a contradicted condition. */
  readonly #isFree: readonly boolean[];
  /** Results, by the id of a node. */
  #known: boolean[] = [];

  constructor(grammar: CompiledGrammar, unknownState: number) {
    this.#grammar = grammar;
    this.#unknownState = unknownState;
    this.#contradictions = contradictionsOf(grammar);
    this.#hasContradictions = this.#contradictions.some((at) => at >= 0);
    this.#isFree = this.#hasContradictions ? freeSymbols(grammar, this.#contradictions) : [];
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
    if (!this.#hasContradictions) return true;
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
    if (this.#contradictions[production]! >= dot) return false;
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

/**
 * For each production the place of the last condition that no terminal fulfils with which the next
 * symbol can begin; -1 where there is none. Conditions at the end depend on what follows.
 */
function contradictionsOf({ tables, virtuals }: CompiledGrammar): readonly number[] {
  const conditions = new Map(virtuals.map((one) => [one.terminal, one]));
  const corners = leftCorners(tables, conditions);
  return tables.productionRight.map((right) =>
    right.findLastIndex((symbol, at) => {
      const condition = conditions.get(symbol);
      if (condition?.kind !== "require") return false;
      const next = right.slice(at + 1).find((one) => !conditions.has(one));
      const { nextIn, nextNotIn } = condition;
      return next !== undefined && !canBegin(next, corners, (t) => nextIn?.[t] !== 0 && nextNotIn?.[t] !== 1);
    }),
  );
}

/**
 * The symbols with which the productions of each symbol begin, conditions aside; none for a
 * terminal.
 */
function leftCorners(
  { terminals, nonterminals, productionLeft, productionRight }: ParseTables,
  conditions: ReadonlyMap<number, unknown>,
): readonly ReadonlySet<number>[] {
  const corners = Array.from({ length: terminals.length + nonterminals.length }, () => new Set<number>());
  for (const [production, right] of productionRight.entries()) {
    const first = right.find((symbol) => !conditions.has(symbol));
    if (first !== undefined) corners[terminals.length + productionLeft[production]!]!.add(first);
  }
  return corners;
}

/** Whether some text of a symbol begins with a terminal that is accepted. */
function canBegin(
  symbol: number,
  corners: readonly ReadonlySet<number>[],
  accepts: (terminal: number) => boolean,
): boolean {
  const seen = new Set([symbol]);
  for (const one of seen) {
    if (corners[one]!.size === 0 && accepts(one)) return true;
    for (const corner of corners[one]!) seen.add(corner);
  }
  return false;
}

/** The symbols with a text without a contradicted condition. */
function freeSymbols({ tables }: CompiledGrammar, contradictions: readonly number[]): readonly boolean[] {
  const terminals = tables.terminals.length;
  const isFree = Array.from({ length: terminals + tables.nonterminals.length }, (_, symbol) => symbol < terminals);
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [production, right] of tables.productionRight.entries()) {
      const left = terminals + tables.productionLeft[production]!;
      if (isFree[left] || contradictions[production]! >= 0 || !right.every((symbol) => isFree[symbol])) continue;
      isFree[left] = true;
      hasChanged = true;
    }
  }
  return isFree;
}
