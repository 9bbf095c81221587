import { Layouts, suspended } from "../lexing/layouts.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { absent, PairMap } from "../tables/pair-map.ts";
import { anySpacing, glued, type Spacing, VirtualTerminals } from "./spacing.ts";
import { Front, type StackNode, StackStore } from "./stack.ts";

/** A top of stacks while what may be reduced before one terminal is being reduced. */
interface Top {
  readonly state: number;
  readonly layout: number;
  readonly below: StackNode[];
}

/**
 * The tops that reductions lead to, and what was put below which of them. They are lists rather
 * than maps and sets: there are few, and little lies below each.
 */
class Tops {
  readonly all: Top[] = [];
  /**
   * Each time something new was put below a top: the top, and at the same place what was put there.
   */
  readonly added: Top[] = [];
  readonly addedUnder: StackNode[] = [];

  /** The top of this state and layout. */
  of(state: number, layout: number): Top {
    for (const top of this.all) if (top.state === state && top.layout === layout) return top;
    const top: Top = { state, layout, below: [] };
    this.all.push(top);
    return top;
  }

  /** Puts `under` below such a top. */
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
 * Moves fronts of stacks over terminals: the nondeterministic shift-reduce machine of a grammar,
 * all ways at once.
 *
 * It remembers where fronts led to, so that asking twice costs a look-up.
 */
export class Parser {
  readonly grammar: CompiledGrammar;
  readonly layouts: Layouts = new Layouts();
  readonly stacks: StackStore;
  readonly virtuals: VirtualTerminals;
  readonly #bracket: Uint8Array | undefined;
  /**
   * Where fronts led to, by number: behind a bare terminal, and behind one or a lexeme with what
   * may be taken before it.
   */
  readonly #shifted = new PairMap();
  readonly #taken = new PairMap();
  /**
   * Of each state, behind each spacing, whether it does anything at each match of the lexer: 0
   * where that was not asked yet.
   */
  readonly #mayTake: (Uint8Array | undefined)[] = [];

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
   * The stacks after `terminal`, which is after `spacing`, and after the virtual terminals that are
   * taken before it; none where no stack can take it. A stack takes an insertion only where it
   * cannot go on without, and where `mayInsert`.
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

  /** The stacks after a lexeme that matched as `match` of the lexer's matches; see `takeLexeme`. */
  takeMatch(front: Front, match: number, spacing: Spacing, mayInsert = true): Front {
    if (!this.#mayAnyTake(front, match, spacing)) return Front.none;
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
   * The stacks after a lexeme, which may be read as any of `readings`: the terminals that it stands
   * for. A stack takes an insertion only where it cannot take the lexeme without one, however it is
   * read.
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

  /** The stacks after terminals that one lexeme stands for; between them nothing is inserted. */
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

  /** Whether some stack is a whole text, when nothing but `spacing` follows. */
  acceptsEnd(front: Front, spacing: Spacing): boolean {
    if (this.grammar.tables.acceptsEmpty && front === this.start) return true;
    return !this.take(front, endOfText, spacing).isEmpty;
  }

  /**
   * The stacks after the bare `terminal`; for the end of the text, one that is not empty where a
   * stack is a whole text.
   */
  shift(front: Front, terminal: number, layout?: number): Front {
    if (!this.#mayAct(front, terminal)) return Front.none;
    const key = layout === undefined ? terminal : terminal + layout * 0x1_0000;
    const known = this.#shifted.get(front.id, key);
    if (known !== absent) return this.stacks.frontOf(known);
    const result = this.#shiftSingle(front, terminal, layout) ?? this.#shiftAll(front, terminal, layout);
    this.#shifted.set(front.id, key, result.id);
    return result;
  }

  /**
   * The layout above a symbol that lies on a stack with `layout`, where it is the shifted
   * `terminal`.
   */
  layoutAbove(terminal: number, layout: number): number {
    return this.#bracket?.[terminal] === 1 ? suspended : layout;
  }

  /**
   * Whether what `terminal` ends is reduced as soon as it is read: closing brackets and ends of
   * blocks, where layout means something.
   */
  endsAtOnce(terminal: number): boolean {
    return this.#bracket?.[terminal] === 2 || terminal === this.grammar.layout?.dedent;
  }

  /**
   * Whether some state on top does anything at `terminal`. Most do at few, and what they do not do
   * is not worth keeping.
   */
  #mayAct(front: Front, terminal: number): boolean {
    for (const { state } of front.nodes) if (this.#acts(state, terminal)) return true;
    return false;
  }

  #acts(state: number, terminal: number): boolean {
    const { tables } = this.grammar;
    const cell = state * tables.terminals.length + terminal;
    return (
      tables.shift[cell] !== 0 || tables.reduce[cell] !== 0 || (terminal === endOfText && state === tables.acceptState)
    );
  }

  /** Whether some state on top does anything at a lexeme, or at what may be taken before it. */
  #mayAnyTake(front: Front, match: number, spacing: Spacing): boolean {
    for (const { state } of front.nodes) {
      let known = this.#mayTake[state * 4 + spacing];
      if (known === undefined) {
        known = new Uint8Array(this.grammar.lex.matches.length);
        this.#mayTake[state * 4 + spacing] = known;
      }
      if (known[match] === 0) known[match] = this.#mayStateTake(state, match, spacing) ? 2 : 1;
      if (known[match] === 2) return true;
    }
    return false;
  }

  #mayStateTake(state: number, match: number, spacing: Spacing): boolean {
    return this.grammar.lex.matches[match]!.readings.some((reading) => {
      const first = reading[0]!;
      return (
        this.#acts(state, first) || this.virtuals.before(first, spacing).some((terminal) => this.#acts(state, terminal))
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

  /** Takes `terminal`, with the virtual terminals before it, on each stack by itself. */
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
   * Whether a stack takes insertions, that comes to `plain` without: where that is nothing, or
   * while the spacing is not known yet.
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
   * Takes `terminal`, with any conditions before it that hold. No grammar that is compiled asks for
   * endless rows of them.
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
   * The common case, one stack and one way: nothing is kept but what lies below the shifted
   * terminal.
   */
  #shiftSingle(front: Front, terminal: number, layout: number | undefined): Front | undefined {
    const { tables } = this.grammar;
    const terminals = tables.terminals.length;
    const nonterminals = tables.nonterminals.length;
    if (front.nodes.length !== 1) return front.isEmpty ? Front.none : undefined;
    const top = front.nodes[0]!;
    let { state, layout: blockLayout } = top;
    /** What lies below `state` once something was reduced. */
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
        return this.#settled(this.stacks.alone(node), terminal);
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

  /** Reduces all that may be before `terminal`, then shifts it. */
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
    return this.#settled(this.stacks.front(nodes), terminal);
  }

  #nodeOf(top: Top, front: Front): StackNode {
    // Only the start of the text lies on nothing.
    return top.below.length === 0
      ? front.nodes.find((node) => node.below.length === 0)!
      : this.stacks.node(top.state, top.layout, top.below);
  }

  /**
   * The stacks after `terminal` was shifted: what it ends is reduced where that is done at once.
   */
  #settled(front: Front, terminal: number): Front {
    return this.endsAtOnce(terminal) ? this.#reduceComplete(front) : front;
  }

  /** What ends with the symbol on top is reduced, once, whatever comes next. */
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
    // More come while they are gone through.
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

/** The nodes `depth` symbols below `node`; itself for 0. */
function nodesUnder(node: StackNode, depth: number): readonly StackNode[] {
  let level: readonly StackNode[] = [node];
  for (let left = depth; left > 0; left--) {
    // Mostly there is one, and what lies below it are different nodes.
    level = level.length === 1 ? level[0]!.below : [...new Set(level.flatMap(({ below }) => below))];
  }
  return level;
}
