import { LexemeEndings, LexReach } from "../lexing/lex-reach.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { YieldCosts } from "../tables/yield-costs.ts";
import { ReachableModes } from "./reachable-modes.ts";

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
    const known = GrammarIndex.#indexes.get(grammar);
    if (known !== undefined) return known;
    const index = new GrammarIndex(grammar);
    GrammarIndex.#indexes.set(grammar, index);
    return index;
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
