import type { CompiledGrammar } from "../tables/compiled-grammar.ts";

/**
 * The modes in which the first terminal behind a hole may have been found. The lexeme was
 * recognised in the modes of the state on top at that time; reductions and virtual terminals in the
 * hole came between that and the shift.
 */
export class ReachableModes {
  readonly #grammar: CompiledGrammar;
  /** The modes of each state, as bits. */
  readonly #modeBits: Uint32Array;
  readonly #virtuals: ReadonlySet<number>;
  readonly #known = new Map<string, boolean>();
  #arrivals: readonly Arrival[] | undefined;

  constructor(grammar: CompiledGrammar, modeBits: Uint32Array) {
    this.#grammar = grammar;
    this.#modeBits = modeBits;
    this.#virtuals = new Set(grammar.virtuals.map(({ terminal }) => terminal));
  }

  /**
   * Whether `state` has all of `modes`, given as bits, or can be reached before it takes `terminal`
   * from a state that has.
   */
  canReach(state: number, terminal: number, modes: number): boolean {
    if (this.#hasModes(state, modes)) return true;
    if (this.#grammar.lex.modes.length === 1) return false;
    const key = `${state},${terminal},${modes}`;
    let canReach = this.#known.get(key);
    if (canReach === undefined) {
      canReach = this.#searchBackwards(state, terminal, modes);
      this.#known.set(key, canReach);
    }
    return canReach;
  }

  #hasModes(state: number, modes: number): boolean {
    return (this.#modeBits[state]! & modes) >>> 0 === modes;
  }

  /** Searches backwards over reductions, and over terminals without text. */
  #searchBackwards(target: number, before: number, modes: number): boolean {
    const { tables } = this.#grammar;
    const terminals = tables.terminals.length;
    const arrivals = this.#arrivalsOf();
    const seen = new Set([target * terminals + before]);
    for (const key of seen) {
      const [state, terminal] = [Math.floor(key / terminals), key % terminals];
      if (this.#hasModes(state, modes)) return true;
      const { symbol, from } = arrivals[state]!;
      if (this.#virtuals.has(symbol)) for (const base of from) seen.add(base * terminals + symbol);
      if (symbol < terminals) continue;
      for (const [production, right] of tables.productionRight.entries()) {
        if (tables.productionLeft[production] !== symbol - terminals) continue;
        for (const base of from) {
          const reduced = this.#stateAfter(base, right);
          const list = tables.reductionLists[tables.reduce[reduced * terminals + terminal]!]!;
          if (list.includes(production)) seen.add(reduced * terminals + terminal);
        }
      }
    }
    return false;
  }

  /** The state after `symbols` from `base`. */
  #stateAfter(base: number, symbols: Uint16Array): number {
    const { shift, goto, terminals, nonterminals } = this.#grammar.tables;
    return symbols.reduce(
      (state, symbol) =>
        symbol < terminals.length
          ? shift[state * terminals.length + symbol]!
          : goto[state * nonterminals.length + symbol - terminals.length]!,
      base,
    );
  }

  #arrivalsOf(): readonly Arrival[] {
    if (this.#arrivals !== undefined) return this.#arrivals;
    const { stateCount, shift, goto, terminals, nonterminals } = this.#grammar.tables;
    const arrivals = Array.from({ length: stateCount }, (): Arrival => ({ symbol: 0, from: [] }));
    for (let state = 0; state < stateCount; state++) {
      for (let t = 0; t < terminals.length; t++) arrive(arrivals, shift[state * terminals.length + t]!, state, t);
      for (let n = 0; n < nonterminals.length; n++) {
        arrive(arrivals, goto[state * nonterminals.length + n]!, state, terminals.length + n);
      }
    }
    this.#arrivals = arrivals;
    return arrivals;
  }
}

/** The symbol of the transitions to a state, and the states that they come from. */
interface Arrival {
  symbol: number;
  readonly from: number[];
}

function arrive(arrivals: readonly Arrival[], target: number, from: number, symbol: number): void {
  if (target === 0) return;
  arrivals[target]!.symbol = symbol;
  arrivals[target]!.from.push(from);
}
