import type { CompiledGrammar } from "./compiled-grammar.ts";
import { LexReach } from "./lex-reach.ts";
import { YieldCosts } from "./yield-costs.ts";

/** What can be told of a grammar alone, and is asked for at every hole. */
export class GrammarIndex {
  readonly reach: LexReach;
  readonly costs: YieldCosts;
  /** The states in which each terminal can be shifted. */
  readonly statesShifting: readonly Uint16Array[];
  /** The states that each nonterminal can lead to. */
  readonly targetsOf: readonly Uint16Array[];
  /** The modes of each state, as a bit for each. */
  readonly modeBits: Uint32Array;

  private constructor(grammar: CompiledGrammar) {
    const { tables, lex, modesOf } = grammar;
    this.reach = new LexReach(lex);
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
    this.modeBits = Uint32Array.from(modesOf, (modes) => modes.reduce((bits, mode) => bits | (1 << mode), 0));
  }

  static readonly #indexes: WeakMap<CompiledGrammar, GrammarIndex> = new WeakMap();

  /** The index of `grammar`, made once. */
  static of(grammar: CompiledGrammar): GrammarIndex {
    const known = GrammarIndex.#indexes.get(grammar);
    if (known !== undefined) return known;
    const index = new GrammarIndex(grammar);
    GrammarIndex.#indexes.set(grammar, index);
    return index;
  }
}
