import { getOrInsert } from "../../text/index.ts";
import { LexemeEndings, LexReach } from "../lexing/lex-reach.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { YieldCosts } from "../tables/yield-costs.ts";

/** Precomputed properties of a grammar, shared by all its holes. */
export class GrammarIndex {
  readonly reach: LexReach;
  readonly endings: LexemeEndings;
  readonly costs: YieldCosts;
  /** The states that can shift each terminal. */
  readonly statesShifting: readonly Uint16Array[];
  /** The target states of each nonterminal's transitions. */
  readonly targetsOf: readonly Uint16Array[];
  /** For each state, 1 where it is always at the start of a line, in a grammar with a layout. */
  readonly isAtLineStart: Uint8Array;
  readonly reachableModes: ReachableModes;

  private constructor(grammar: CompiledGrammar) {
    const { tables, lex, modesOf } = grammar;
    this.reach = new LexReach(lex);
    this.endings = new LexemeEndings(lex, this.reach);
    this.costs = new YieldCosts(grammar);
    const states = Array.from({ length: tables.stateCount }, (_, state) => state);
    const terminals = tables.terminals.length;
    const nonterminals = tables.nonterminals.length;
    this.statesShifting = tables.terminals.map((_, terminal) =>
      Uint16Array.from(states.filter((state) => tables.shift[state * terminals + terminal] !== 0)),
    );
    this.targetsOf = tables.nonterminals.map((_, nonterminal) =>
      Uint16Array.from(
        new Set(
          states.map((state) => tables.goto[state * nonterminals + nonterminal]!).filter((target) => target !== 0),
        ),
      ),
    );
    this.isAtLineStart = statesAtLineStart(grammar);
    const modeBits = Uint32Array.from(modesOf, (modes) => modes.reduce((bits, mode) => bits | (1 << mode), 0));
    this.reachableModes = new ReachableModes(grammar, modeBits);
  }

  static readonly #indexes: WeakMap<CompiledGrammar, GrammarIndex> = new WeakMap();

  /** The index of `grammar`, made once. */
  static of(grammar: CompiledGrammar): GrammarIndex {
    return getOrInsert(GrammarIndex.#indexes, grammar, () => new GrammarIndex(grammar));
  }
}

/** The states after symbols whose texts always end with a line end or an indentation. */
function statesAtLineStart({ tables, layout }: CompiledGrammar): Uint8Array {
  const states = new Uint8Array(tables.stateCount);
  if (layout === undefined) return states;
  const first = tables.terminals.length;
  const endsLine = new Uint8Array(first + tables.nonterminals.length).fill(1, first);
  for (const terminal of [layout.newline, layout.indent, layout.dedent]) endsLine[terminal] = 1;
  for (let changed = true; changed; ) {
    changed = false;
    tables.productionRight.forEach((right, production) => {
      const left = first + tables.productionLeft[production]!;
      if (endsLine[left] === 0 || endsLine[right.at(-1)!] === 1) return;
      endsLine[left] = 0;
      changed = true;
    });
  }
  states[0] = 1;
  for (let state = 1; state < tables.stateCount; state++) {
    const item = tables.itemStart[state]!;
    if (item === tables.itemStart[state + 1]) continue;
    const last = tables.productionRight[tables.itemProduction[item]!]![tables.itemDot[item]! - 1]!;
    states[state] = endsLine[last]!;
  }
  return states;
}

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
    return getOrInsert(this.#known, key, () => this.#searchBackwards(state, terminal, modes));
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
