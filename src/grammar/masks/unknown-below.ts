import { Layouts, suspended } from "../lexing/layouts.ts";
import { Parser } from "../reading/parser.ts";
import type { Front, StackNode } from "../reading/stack.ts";
import type { CompiledGrammar, ParseTables } from "../tables/compiled-grammar.ts";
import { CertainCompletion } from "./certain-completion.ts";

/**
 * A parser for stacks of which only the top symbols are known. A reduction that reaches below them
 * leads to a special state that takes any terminal, so that a result shows whether the known
 * symbols decide it.
 */
export class UnknownBelow {
  readonly #grammar: CompiledGrammar;
  readonly #beyondState: number;
  readonly #completion: CertainCompletion;
  #parser: Parser;
  #bottom: StackNode;

  constructor(grammar: CompiledGrammar) {
    this.#grammar = { ...grammar, tables: withUnknown(grammar) };
    this.#beyondState = grammar.tables.stateCount + 1;
    this.#completion = new CertainCompletion(grammar, grammar.tables.stateCount);
    this.#parser = new Parser(this.#grammar);
    this.#bottom = this.#newBottom();
  }

  /** The parser for such stacks; `forget` replaces it. */
  get parser(): Parser {
    return this.#parser;
  }

  /** Drops all stacks that were made so far. */
  forget(): void {
    this.#parser = new Parser(this.#grammar);
    this.#bottom = this.#newBottom();
    this.#completion.forget();
  }

  /** The stack of these states, topmost first, over an unknown rest. */
  stack(known: readonly KnownState[]): StackNode {
    let node = this.#bottom;
    for (const { state, isSuspended } of known.toReversed()) {
      const layout = isSuspended || this.#grammar.layout === undefined ? suspended : Layouts.margin;
      node = this.parser.stacks.nodeOn(state, layout, node);
    }
    return node;
  }

  /** Whether nothing below `node` is known. */
  isAlone({ below }: StackNode): boolean {
    return below.length === 1 && below[0] === this.#bottom;
  }

  /** Whether some path to `front` reached below the known symbols. */
  isBeyond(front: Front): boolean {
    for (const node of front.nodes) if (node.state === this.#beyondState) return true;
    return false;
  }

  /**
   * Whether some path to `front` did not reach below the known symbols, and can certainly be
   * completed where what is below them can.
   */
  isCertain(front: Front): boolean {
    for (const node of front.nodes) {
      if (node.state < this.#beyondState && this.#completion.isCertain(node)) return true;
    }
    return false;
  }

  /** A stack of unknown symbols, longer than any production. */
  #newBottom(): StackNode {
    const { tables } = this.#grammar;
    const unknown = this.#beyondState - 1;
    const longest = tables.productionRight.reduce((most, right) => Math.max(most, right.length), 0);
    let bottom = this.#parser.start.nodes[0]!;
    for (let left = longest + 1; left > 0; left--) {
      bottom = this.#parser.stacks.nodeOn(unknown, Layouts.margin, bottom);
    }
    return bottom;
  }
}

/** The properties of a stack symbol that affect what may come above it. */
export interface KnownState {
  readonly state: number;
  /** Whether line breaks are trivia above it. */
  readonly isSuspended: boolean;
}

/**
 * The tables with three more states. The first represents an unknown symbol; any nonterminal leads
 * from it to the second, which takes any terminal and stays. The third follows virtual terminals,
 * so that no endless sequence of them can come.
 */
function withUnknown({ tables, virtuals }: CompiledGrammar): ParseTables {
  const { stateCount } = tables;
  const beyond = stateCount + 1;
  const beyondVirtual = stateCount + 2;
  const terminals = tables.terminals.length;
  const nonterminals = tables.nonterminals.length;
  const shift = new Uint16Array((stateCount + 3) * terminals);
  shift.set(tables.shift);
  shift.fill(beyond, beyond * terminals + 1, (beyond + 2) * terminals);
  for (const { terminal } of virtuals) {
    shift[beyond * terminals + terminal] = beyondVirtual;
    shift[beyondVirtual * terminals + terminal] = 0;
  }
  shift[beyondVirtual * terminals] = 0;
  const reduce = new Uint16Array((stateCount + 3) * terminals);
  reduce.set(tables.reduce);
  const goto = new Uint16Array((stateCount + 3) * nonterminals);
  goto.set(tables.goto);
  goto.fill(beyond, stateCount * nonterminals);
  // Where brackets are reduced without lookahead, the second state needs a complete item, too: of a
  // production of its own with a single symbol, so that no number of such reductions pops symbols
  // from below.
  const items = tables.itemProduction.length;
  const itemStart = new Uint32Array(stateCount + 4);
  itemStart.set(tables.itemStart);
  itemStart.fill(items + 1, stateCount + 2);
  itemStart[stateCount + 1] = items;
  const itemProduction = new Uint16Array(items + 1);
  itemProduction.set(tables.itemProduction);
  itemProduction[items] = tables.productionLeft.length;
  const itemDot = new Uint8Array(items + 1);
  itemDot.set(tables.itemDot);
  itemDot[items] = 1;
  const productionLeft = Uint16Array.of(...tables.productionLeft, 0);
  const productionRight = [...tables.productionRight, Uint16Array.of(terminals)];
  return {
    ...tables,
    stateCount: stateCount + 3,
    shift,
    reduce,
    goto,
    itemStart,
    itemProduction,
    itemDot,
    productionLeft,
    productionRight,
  };
}
