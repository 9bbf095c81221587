import type { CompiledGrammar } from "./compiled-grammar.ts";
import { Layouts, suspended } from "./layouts.ts";
import { anySpacing, glued, type Spacing } from "./spacing.ts";
import { Front, type StackNode, StackStore } from "./stack.ts";
import { VirtualTerminals } from "./virtual-terminals.ts";

/** A top of stacks while what may be reduced before one terminal is being reduced. */
interface Top {
  readonly state: number;
  readonly layout: number;
  readonly below: Set<StackNode>;
}

/** The end of the text, as a terminal. */
export const endOfText = 0;

/**
 * Moves fronts of stacks over terminals: the nondeterministic shift-reduce machine of a grammar, all ways at once.
 *
 * Fronts remember where they led to, so that asking twice costs a look-up.
 */
export class Parser {
  readonly grammar: CompiledGrammar;
  readonly layouts: Layouts = new Layouts();
  readonly stacks: StackStore;
  readonly virtuals: VirtualTerminals;
  readonly #bracket: Uint8Array | undefined;
  /** Of each state, behind each spacing, whether it does anything at each match of the lexer: 0 where that was not asked yet. */
  readonly #mayTake: (Uint8Array | undefined)[] = [];

  constructor(grammar: CompiledGrammar) {
    this.grammar = grammar;
    this.stacks = new StackStore(grammar.layout === undefined ? suspended : Layouts.margin);
    this.virtuals = new VirtualTerminals(grammar);
    this.#bracket = grammar.layout?.bracket;
  }

  /** The front before the first terminal. */
  get start(): Front {
    return this.stacks.start;
  }

  /**
   * The stacks after `terminal`, which stands after `spacing`, and after the virtual terminals that are taken before it; none
   * where no stack can take it. A stack takes an insertion only where it cannot go on without, and where `mayInsert`.
   */
  take(front: Front, terminal: number, spacing: Spacing, mayInsert = true): Front {
    if (!this.virtuals.any || this.virtuals.before(terminal, spacing).length === 0) return this.shift(front, terminal);
    const key = -1 - ((terminal * 4 + spacing) * 2 + (mayInsert ? 1 : 0));
    const known = front.after(key);
    if (known !== undefined) return known;
    const result = this.#eachAlone(front, (alone) => {
      const plain = this.#takeRequiring(alone, terminal, spacing);
      return mayInsert ? this.#orInserting(spacing, plain, () => this.#takeInserting(alone, terminal, spacing)) : plain;
    });
    front.keepAfter(key, result);
    return result;
  }

  /** The stacks after a lexeme that matched as `match` of the lexer's matches; see `takeLexeme`. */
  takeMatch(front: Front, match: number, spacing: Spacing, mayInsert = true): Front {
    if (!this.#mayAnyTake(front, match, spacing)) return Front.none;
    const { readings } = this.grammar.lex.matches[match]!;
    if (readings.length === 1) return this.takeAll(front, readings[0]!, spacing, mayInsert);
    const key = -1 - (((this.grammar.tables.terminals.length + match) * 4 + spacing) * 2 + (mayInsert ? 1 : 0));
    const known = front.after(key);
    if (known !== undefined) return known;
    const result = this.takeLexeme(front, readings, spacing, mayInsert);
    front.keepAfter(key, result);
    return result;
  }

  /**
   * The stacks after a lexeme, which may be read as any of `readings`: the terminals that it stands for. A stack takes an insertion
   * only where it cannot take the lexeme without one, however it is read.
   */
  takeLexeme(front: Front, readings: readonly Uint16Array[], spacing: Spacing, mayInsert = true): Front {
    if (readings.length === 1) return this.takeAll(front, readings[0]!, spacing, mayInsert);
    if (!mayInsert || !this.virtuals.anyInserts) return this.#takeAnyOf(front, readings, spacing, mayInsert);
    return this.#eachAlone(front, (alone) =>
      this.#orInserting(spacing, this.#takeAnyOf(alone, readings, spacing, false), () =>
        this.#takeAnyOf(alone, readings, spacing, true),
      ),
    );
  }

  /** The stacks after terminals that one lexeme stands for; between them nothing is inserted. */
  takeAll(front: Front, terminals: Uint16Array, spacing: Spacing, mayInsert = true): Front {
    const [first] = terminals;
    if (terminals.length === 1) return this.take(front, first!, spacing, mayInsert);
    if (!mayInsert || !this.virtuals.anyInserts) {
      return this.#takeRest(this.take(front, first!, spacing, mayInsert), terminals);
    }
    return this.#eachAlone(front, (alone) =>
      this.#orInserting(spacing, this.#takeRest(this.take(alone, first!, spacing, false), terminals), () =>
        this.#takeRest(this.#takeInserting(alone, first!, spacing), terminals),
      ),
    );
  }

  /** Whether some stack is a whole text, when nothing but `spacing` follows. */
  acceptsEnd(front: Front, spacing: Spacing): boolean {
    if (this.grammar.tables.acceptsEmpty && front === this.start) return true;
    return !this.take(front, endOfText, spacing).isEmpty;
  }

  /** The stacks after the bare `terminal`; for the end of the text, one that is not empty where a stack is a whole text. */
  shift(front: Front, terminal: number, layout?: number): Front {
    if (!this.#mayAct(front, terminal)) return Front.none;
    const key = layout === undefined ? terminal : terminal + layout * 0x1_0000;
    const known = front.after(key);
    if (known !== undefined) return known;
    const result = this.#shiftSingle(front, terminal, layout) ?? this.#shiftAll(front, terminal, layout);
    front.keepAfter(key, result);
    return result;
  }

  /** The layout above a symbol that lies on a stack with `layout`, where it is the shifted `terminal`. */
  layoutAbove(terminal: number, layout: number): number {
    return this.#bracket?.[terminal] === 1 ? suspended : layout;
  }

  /** Whether what `terminal` ends is reduced as soon as it is read: closing brackets and ends of blocks, where layout means something. */
  endsAtOnce(terminal: number): boolean {
    return this.#bracket?.[terminal] === 2 || terminal === this.grammar.layout?.dedent;
  }

  /** Whether some state on top does anything at `terminal`. Most do at few, and what they do not do is not worth keeping. */
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
    return this.stacks.unionOf(readings.map((terminals) => this.takeAll(front, terminals, spacing, mayInsert)));
  }

  /** `plain`, and what comes of an insertion where that is nothing, or where it depends on a spacing that is not known yet. */
  #orInserting(spacing: Spacing, plain: Front, inserting: () => Front): Front {
    if (plain.isEmpty) return inserting();
    return spacing === anySpacing && this.virtuals.anyInserts ? this.stacks.union(plain, inserting()) : plain;
  }

  /** What becomes of each stack by itself. */
  #eachAlone(front: Front, of: (alone: Front) => Front): Front {
    if (front.nodes.length === 1) return of(front);
    return this.stacks.unionOf(front.nodes.map((node) => of(this.stacks.front([node]))));
  }

  #takeInserting(front: Front, terminal: number, spacing: Spacing): Front {
    let result = Front.none;
    for (const inserted of this.virtuals.insertsBefore(terminal, spacing)) {
      const after = this.shift(front, inserted);
      if (!after.isEmpty) result = this.stacks.union(result, this.#takeRequiring(after, terminal, spacing));
    }
    return result;
  }

  /** Takes `terminal`, with any conditions before it that hold. No grammar that is compiled asks for endless rows of them. */
  #takeRequiring(front: Front, terminal: number, spacing: Spacing): Front {
    const requires = this.virtuals.requiresBefore(terminal, spacing);
    if (requires.length === 0) return this.shift(front, terminal);
    const fronts = new Set([front]);
    let result = Front.none;
    for (const each of fronts) {
      result = this.stacks.union(result, this.shift(each, terminal));
      for (const required of requires) {
        const after = this.shift(each, required);
        if (!after.isEmpty) fronts.add(after);
      }
    }
    return result;
  }

  /** The common case, one stack and one way: nothing is kept but what lies below the shifted terminal. */
  #shiftSingle(front: Front, terminal: number, layout: number | undefined): Front | undefined {
    const { tables } = this.grammar;
    const terminals = tables.terminals.length;
    const nonterminals = tables.nonterminals.length;
    if (front.nodes.length !== 1) return front.isEmpty ? Front.none : undefined;
    const [top] = front.nodes;
    let state = top!.state;
    let blockLayout = top!.layout;
    let { below } = top!;
    for (;;) {
      const cell = state * terminals + terminal;
      const reductions = tables.reductionLists[tables.reduce[cell]!]!;
      const target = tables.shift[cell]!;
      if (terminal === endOfText && state === tables.acceptState) return reductions.length === 0 ? front : undefined;
      if (reductions.length === 0) {
        if (target === 0) return Front.none;
        const under = below.length === 0 ? top! : this.stacks.node(state, blockLayout, below);
        return this.#landed([[target, under]], terminal, layout);
      }
      if (reductions.length > 1 || target !== 0 || below.length !== 1) return undefined;
      const production = reductions[0]!;
      let under = below[0]!;
      for (let left = tables.productionRight[production]!.length - 1; left > 0; left--) {
        if (under.below.length !== 1) return undefined;
        under = under.below[0]!;
      }
      const next = tables.goto[under.state * nonterminals + tables.productionLeft[production]!]!;
      if (next === 0) return Front.none;
      state = next;
      blockLayout = under.layout;
      below = [under];
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
    const landings: [number, StackNode][] = [];
    for (const top of tops) {
      const under = () => this.#nodeOf(top, front);
      if (terminal === endOfText && top.state === tables.acceptState) return this.stacks.front([under()]);
      const target = tables.shift[top.state * terminals + terminal]!;
      if (target !== 0) landings.push([target, under()]);
    }
    return this.#landed(landings, terminal, layout);
  }

  #nodeOf(top: Top, front: Front): StackNode {
    // Only the start of the text lies on nothing.
    return top.below.size === 0
      ? front.nodes.find((node) => node.below.length === 0)!
      : this.stacks.node(top.state, top.layout, [...top.below]);
  }

  /** The front of states that a shifted `terminal` leads to, over the nodes that they lie on. */
  #landed(
    landings: readonly (readonly [state: number, under: StackNode])[],
    terminal: number,
    layout: number | undefined,
  ): Front {
    const nodes = landings.map(([state, under]) =>
      this.stacks.node(state, layout ?? this.layoutAbove(terminal, under.layout), [under]),
    );
    const front = this.stacks.front(nodes);
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
          if (state !== 0) reduced.push(this.stacks.node(state, under.layout, [under]));
        }
      }
    }
    return this.stacks.front(reduced);
  }

  #reduceAll(front: Front, reductions: (state: number) => Uint16Array): Iterable<Top> {
    const { tables } = this.grammar;
    const tops = new Map<number, Top>();
    const work: [Top, StackNode][] = [];
    const add = (state: number, layout: number, under: StackNode) => {
      const key = layout * 0x1_0000 + state;
      let top = tops.get(key);
      if (top === undefined) {
        top = { state, layout, below: new Set() };
        tops.set(key, top);
      }
      if (top.below.has(under)) return;
      top.below.add(under);
      work.push([top, under]);
    };
    for (const node of front.nodes) {
      if (node.below.length === 0)
        tops.set(node.layout * 0x1_0000 + node.state, { state: node.state, layout: node.layout, below: new Set() });
      for (const under of node.below) add(node.state, node.layout, under);
    }
    for (let next = work.pop(); next !== undefined; next = work.pop()) {
      const [top, under] = next;
      for (const production of reductions(top.state)) {
        for (const bottom of nodesUnder(under, tables.productionRight[production]!.length - 1)) {
          const state = tables.goto[bottom.state * tables.nonterminals.length + tables.productionLeft[production]!]!;
          if (state !== 0) add(state, bottom.layout, bottom);
        }
      }
    }
    return tops.values();
  }
}

/** The nodes `depth` symbols below `node`; itself for 0. */
function nodesUnder(node: StackNode, depth: number): Iterable<StackNode> {
  let level: Iterable<StackNode> = [node];
  for (let left = depth; left > 0; left--) {
    const next = new Set<StackNode>();
    for (const each of level) for (const under of each.below) next.add(under);
    level = next;
  }
  return level;
}
