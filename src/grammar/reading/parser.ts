import { Layouts, suspended } from "../lexing/layouts.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import { anySpacing, glued, type Spacing, VirtualTerminals } from "./spacing.ts";
import { Front, type StackNode, StackStore } from "./stack.ts";

/** A top of stacks during the reductions before one terminal. */
interface Top {
  readonly state: number;
  readonly layout: number;
  readonly below: StackNode[];
}

/**
 * The tops that reductions lead to, and the nodes below each. Lists are faster than maps here:
 * there are few tops, with few nodes below them.
 */
class Tops {
  readonly all: Top[] = [];
  /** Each link that was added: the top, and at the same index the node below it. */
  readonly added: Top[] = [];
  readonly addedUnder: StackNode[] = [];

  /** The top with this state and layout. */
  of(state: number, layout: number): Top {
    for (const top of this.all) if (top.state === state && top.layout === layout) return top;
    const top: Top = { state, layout, below: [] };
    this.all.push(top);
    return top;
  }

  /** Links `under` below the top with this state and layout. */
  add(state: number, layout: number, under: StackNode): void {
    const top = this.of(state, layout);
    if (top.below.includes(under)) return;
    top.below.push(under);
    this.added.push(top);
    this.addedUnder.push(under);
  }
}

/** The end of the text, as a terminal. */
export const endOfText = 0;

/**
 * The nondeterministic shift-reduce automaton of a grammar. It moves all stacks of a front over a
 * terminal at once.
 *
 * Results are cached by front.
 */
export class Parser {
  readonly grammar: CompiledGrammar;
  readonly layouts: Layouts = new Layouts();
  readonly stacks: StackStore;
  readonly virtuals: VirtualTerminals;
  readonly #bracket: Uint8Array | undefined;
  /**
   * Caches of results, by front: after a bare terminal, and after a terminal or lexeme with the
   * virtual terminals before it.
   */
  readonly #shifted = new PairMap();
  readonly #taken = new PairMap();
  /**
   * For each state and spacing, whether the state has an action for each match of the lexer; 0
   * where that is not computed yet.
   */
  readonly #actsOnMatch: (Uint8Array | undefined)[] = [];

  constructor(grammar: CompiledGrammar) {
    this.grammar = grammar;
    this.stacks = new StackStore(grammar.layout === undefined ? suspended : Layouts.margin);
    this.virtuals = VirtualTerminals.of(grammar);
    this.#bracket = grammar.layout?.bracket;
  }

  /** The front before the first terminal. */
  get start(): Front {
    return this.stacks.start;
  }

  /**
   * The stacks after `terminal`, which follows `spacing`, and after the virtual terminals before
   * it; none where no stack can take it. A stack takes an insertion only where it can't take
   * `terminal` without one, and only if `mayInsert`.
   */
  take(front: Front, terminal: number, spacing: Spacing, mayInsert = true): Front {
    if (!this.virtuals.any || this.virtuals.before(terminal, spacing).length === 0) return this.shift(front, terminal);
    const key = (terminal * 4 + spacing) * 2 + (mayInsert ? 1 : 0);
    const known = this.#taken.get(front.id, key);
    if (known !== absent) return this.stacks.frontOf(known);
    const result = this.#takeVirtually(front, terminal, spacing, mayInsert);
    this.#taken.set(front.id, key, result.id);
    return result;
  }

  /** The stacks after a lexeme with this index among the lexer's matches; see `takeLexeme`. */
  takeMatch(front: Front, match: number, spacing: Spacing, mayInsert = true): Front {
    if (!this.#hasActionForMatch(front, match, spacing)) return Front.none;
    const { readings } = this.grammar.lex.matches[match]!;
    if (readings.length === 1) return this.takeAll(front, readings[0]!, spacing, mayInsert);
    const key = ((this.grammar.tables.terminals.length + match) * 4 + spacing) * 2 + (mayInsert ? 1 : 0);
    const known = this.#taken.get(front.id, key);
    if (known !== absent) return this.stacks.frontOf(known);
    const result = this.takeLexeme(front, readings, spacing, mayInsert);
    this.#taken.set(front.id, key, result.id);
    return result;
  }

  /**
   * The stacks after a lexeme with these alternative readings, each a sequence of terminals. A
   * stack takes an insertion only where it can take no reading without one.
   */
  takeLexeme(front: Front, readings: readonly Uint16Array[], spacing: Spacing, mayInsert = true): Front {
    if (readings.length === 1) return this.takeAll(front, readings[0]!, spacing, mayInsert);
    if (!mayInsert || !this.virtuals.anyInserts) return this.#takeAnyOf(front, readings, spacing, mayInsert);
    let result = Front.none;
    for (const node of front.nodes) {
      const alone = this.stacks.alone(node);
      const plain = this.#takeAnyOf(alone, readings, spacing, false);
      result = this.stacks.union(result, plain);
      if (!this.#mayInsertBefore(plain, spacing)) continue;
      result = this.stacks.union(result, this.#takeAnyOf(alone, readings, spacing, true));
    }
    return result;
  }

  /**
   * The stacks after the terminals of one reading of a lexeme. Nothing is inserted between them.
   */
  takeAll(front: Front, terminals: Uint16Array, spacing: Spacing, mayInsert = true): Front {
    const [first] = terminals;
    if (terminals.length === 1) return this.take(front, first!, spacing, mayInsert);
    if (!mayInsert || !this.virtuals.anyInserts) {
      return this.#takeRest(this.take(front, first!, spacing, mayInsert), terminals);
    }
    let result = Front.none;
    for (const node of front.nodes) {
      const alone = this.stacks.alone(node);
      const plain = this.#takeRest(this.take(alone, first!, spacing, false), terminals);
      result = this.stacks.union(result, plain);
      if (!this.#mayInsertBefore(plain, spacing)) continue;
      result = this.stacks.union(result, this.#takeRest(this.#takeInserting(alone, first!, spacing), terminals));
    }
    return result;
  }

  /** Whether some stack accepts the end of the text after `spacing`. */
  acceptsEnd(front: Front, spacing: Spacing): boolean {
    if (this.grammar.tables.acceptsEmpty && front === this.start) return true;
    return !this.take(front, endOfText, spacing).isEmpty;
  }

  /**
   * The stacks after `terminal` without virtual terminals. For the end of the text, a non-empty
   * front where some stack accepts. `layout` overrides the layout above the terminal.
   */
  shift(front: Front, terminal: number, layout?: number): Front {
    if (!this.#hasAction(front, terminal)) return Front.none;
    const key = layout === undefined ? terminal : terminal + layout * 0x1_0000;
    const known = this.#shifted.get(front.id, key);
    if (known !== absent) return this.stacks.frontOf(known);
    const result = this.#shiftSingle(front, terminal, layout) ?? this.#shiftAll(front, terminal, layout);
    this.#shifted.set(front.id, key, result.id);
    return result;
  }

  /** The layout above `terminal` when it is shifted onto a stack with `layout`. */
  layoutAbove(terminal: number, layout: number): number {
    return this.#bracket?.[terminal] === 1 ? suspended : layout;
  }

  /**
   * Whether the production that `terminal` ends is reduced without lookahead: for closing brackets
   * and ends of blocks, where the grammar has a layout.
   */
  endsAtOnce(terminal: number): boolean {
    return this.#bracket?.[terminal] === 2 || terminal === this.grammar.layout?.dedent;
  }

  /**
   * Whether some top state has an action for `terminal`. Most have few actions, so that an empty
   * result needs no cache.
   */
  #hasAction(front: Front, terminal: number): boolean {
    for (const { state } of front.nodes) if (this.#stateHasAction(state, terminal)) return true;
    return false;
  }

  #stateHasAction(state: number, terminal: number): boolean {
    const { tables } = this.grammar;
    const cell = state * tables.terminals.length + terminal;
    return (
      tables.shift[cell] !== 0 || tables.reduce[cell] !== 0 || (terminal === endOfText && state === tables.acceptState)
    );
  }

  /** Whether some top state has an action for a match, or for a virtual terminal before it. */
  #hasActionForMatch(front: Front, match: number, spacing: Spacing): boolean {
    for (const { state } of front.nodes) {
      let known = this.#actsOnMatch[state * 4 + spacing];
      if (known === undefined) {
        known = new Uint8Array(this.grammar.lex.matches.length);
        this.#actsOnMatch[state * 4 + spacing] = known;
      }
      if (known[match] === 0) known[match] = this.#stateHasActionForMatch(state, match, spacing) ? 2 : 1;
      if (known[match] === 2) return true;
    }
    return false;
  }

  #stateHasActionForMatch(state: number, match: number, spacing: Spacing): boolean {
    return this.grammar.lex.matches[match]!.readings.some((reading) => {
      const first = reading[0]!;
      return (
        this.#stateHasAction(state, first) ||
        this.virtuals.before(first, spacing).some((terminal) => this.#stateHasAction(state, terminal))
      );
    });
  }

  #takeRest(front: Front, terminals: Uint16Array): Front {
    let after = front;
    for (let i = 1; i < terminals.length && !after.isEmpty; i++) after = this.take(after, terminals[i]!, glued, false);
    return after;
  }

  #takeAnyOf(front: Front, readings: readonly Uint16Array[], spacing: Spacing, mayInsert: boolean): Front {
    let result = Front.none;
    for (const terminals of readings) {
      result = this.stacks.union(result, this.takeAll(front, terminals, spacing, mayInsert));
    }
    return result;
  }

  /** Takes `terminal` with the virtual terminals before it, each stack by itself. */
  #takeVirtually(front: Front, terminal: number, spacing: Spacing, mayInsert: boolean): Front {
    let result = Front.none;
    for (const node of front.nodes) {
      const alone = this.stacks.alone(node);
      const plain = this.#takeRequiring(alone, terminal, spacing);
      result = this.stacks.union(result, plain);
      if (!mayInsert || !this.#mayInsertBefore(plain, spacing)) continue;
      result = this.stacks.union(result, this.#takeInserting(alone, terminal, spacing));
    }
    return result;
  }

  /**
   * Whether a stack may take insertions: where it is stuck without one, or while the spacing is
   * unknown. `plain` is its result without insertions.
   */
  #mayInsertBefore(plain: Front, spacing: Spacing): boolean {
    return plain.isEmpty || (spacing === anySpacing && this.virtuals.anyInserts);
  }

  #takeInserting(front: Front, terminal: number, spacing: Spacing): Front {
    let result = Front.none;
    for (const inserted of this.virtuals.insertsBefore(terminal, spacing)) {
      const after = this.shift(front, inserted);
      if (!after.isEmpty) result = this.stacks.union(result, this.#takeRequiring(after, terminal, spacing));
    }
    return result;
  }

  /**
   * Takes `terminal` with any conditions before it that hold. `checkGrammar` refuses grammars with
   * unlimited sequences of conditions.
   */
  #takeRequiring(front: Front, terminal: number, spacing: Spacing): Front {
    let result = this.shift(front, terminal);
    for (const required of this.virtuals.requiresBefore(terminal, spacing)) {
      const after = this.shift(front, required);
      if (!after.isEmpty) result = this.stacks.union(result, this.#takeRequiring(after, terminal, spacing));
    }
    return result;
  }

  /**
   * The common case of one stack and one action at each step: creates only the nodes below the
   * shifted terminal. `undefined` where it is not that case.
   */
  #shiftSingle(front: Front, terminal: number, layout: number | undefined): Front | undefined {
    const { tables } = this.grammar;
    const terminals = tables.terminals.length;
    const nonterminals = tables.nonterminals.length;
    if (front.nodes.length !== 1) return front.isEmpty ? Front.none : undefined;
    const top = front.nodes[0]!;
    let { state, layout: blockLayout } = top;
    /** The node below `state` after the first reduction. */
    let reducedOn: StackNode | undefined;
    for (;;) {
      const cell = state * terminals + terminal;
      const reductions = tables.reductionLists[tables.reduce[cell]!]!;
      const target = tables.shift[cell]!;
      if (terminal === endOfText && state === tables.acceptState) return reductions.length === 0 ? front : undefined;
      if (reductions.length === 0) {
        if (target === 0) return Front.none;
        const under = reducedOn === undefined ? top : this.stacks.nodeOn(state, blockLayout, reducedOn);
        const node = this.stacks.nodeOn(target, layout ?? this.layoutAbove(terminal, under.layout), under);
        return this.#withReduction(this.stacks.alone(node), terminal);
      }
      if (reductions.length > 1 || target !== 0) return undefined;
      if (reducedOn === undefined && top.below.length !== 1) return undefined;
      const production = reductions[0]!;
      let under = reducedOn ?? top.below[0]!;
      for (let left = tables.productionRight[production]!.length - 1; left > 0; left--) {
        if (under.below.length !== 1) return undefined;
        under = under.below[0]!;
      }
      const next = tables.goto[under.state * nonterminals + tables.productionLeft[production]!]!;
      if (next === 0) return Front.none;
      state = next;
      blockLayout = under.layout;
      reducedOn = under;
    }
  }

  /** Makes all reductions with the lookahead `terminal`, then shifts it. */
  #shiftAll(front: Front, terminal: number, layout: number | undefined): Front {
    const { tables } = this.grammar;
    const terminals = tables.terminals.length;
    const tops = this.#reduceAll(
      front,
      (state) => tables.reductionLists[tables.reduce[state * terminals + terminal]!]!,
    );
    const nodes: StackNode[] = [];
    for (const top of tops) {
      if (terminal === endOfText && top.state === tables.acceptState) {
        return this.stacks.alone(this.#nodeOf(top, front));
      }
      const target = tables.shift[top.state * terminals + terminal]!;
      if (target === 0) continue;
      const under = this.#nodeOf(top, front);
      nodes.push(this.stacks.nodeOn(target, layout ?? this.layoutAbove(terminal, under.layout), under));
    }
    return this.#withReduction(this.stacks.front(nodes), terminal);
  }

  #nodeOf(top: Top, front: Front): StackNode {
    // Only the start node has nothing below it.
    return top.below.length === 0
      ? front.nodes.find((node) => node.below.length === 0)!
      : this.stacks.node(top.state, top.layout, top.below);
  }

  /**
   * The stacks after the shift of `terminal`, with its production reduced where that needs no
   * lookahead.
   */
  #withReduction(front: Front, terminal: number): Front {
    return this.endsAtOnce(terminal) ? this.#reduceComplete(front) : front;
  }

  /** Makes one reduction of each complete item, for any lookahead. */
  #reduceComplete(front: Front): Front {
    const { tables } = this.grammar;
    const reduced: StackNode[] = [];
    for (const node of front.nodes) {
      for (let item = tables.itemStart[node.state]!; item < tables.itemStart[node.state + 1]!; item++) {
        const production = tables.itemProduction[item]!;
        const length = tables.productionRight[production]!.length;
        if (tables.itemDot[item] !== length) continue;
        for (const under of nodesUnder(node, length)) {
          const state = tables.goto[under.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
          if (state !== 0) reduced.push(this.stacks.nodeOn(state, under.layout, under));
        }
      }
    }
    return this.stacks.front(reduced);
  }

  #reduceAll(front: Front, reductions: (state: number) => Uint16Array): readonly Top[] {
    const { tables } = this.grammar;
    const tops = new Tops();
    for (const node of front.nodes) {
      if (node.below.length === 0) tops.of(node.state, node.layout);
      for (const under of node.below) tops.add(node.state, node.layout, under);
    }
    // The list grows during the loop.
    for (let at = 0; at < tops.added.length; at++) {
      const top = tops.added[at]!;
      const under = tops.addedUnder[at]!;
      for (const production of reductions(top.state)) {
        for (const bottom of nodesUnder(under, tables.productionRight[production]!.length - 1)) {
          const state = tables.goto[bottom.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
          if (state !== 0) tops.add(state, bottom.layout, bottom);
        }
      }
    }
    return tops.all;
  }
}

/** The nodes `depth` symbols below `node`; `node` itself for 0. */
function nodesUnder(node: StackNode, depth: number): readonly StackNode[] {
  let level: readonly StackNode[] = [node];
  for (let left = depth; left > 0; left--) {
    // Mostly there is one node, whose links are distinct.
    level = level.length === 1 ? level[0]!.below : [...new Set(level.flatMap(({ below }) => below))];
  }
  return level;
}
