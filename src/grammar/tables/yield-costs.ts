import type { CompiledGrammar, VirtualTerminal } from "./compiled-grammar.ts";

/** The cost of a terminal that has no lexeme of its own; such a terminal is never planned. */
export const unwritable = 1_000_000;

/** The cost in bytes of a line break with the indentation of a new block. */
const indentBytes = 4;

/**
 * The fewest bytes of a text for each class of its first terminal, and for an unknown one; infinity
 * where a condition allows no text.
 */
export type CostsByFirst = Float64Array;

/**
 * The cheapest text of each symbol, in bytes without blanks between lexemes, for each class of its
 * first terminal, so that conditions on the next terminal hold.
 */
export class YieldCosts {
  readonly firsts: FirstClasses;
  readonly #grammar: CompiledGrammar;
  /** The number of classes, the unknown one included. */
  readonly #classes: number;
  /** The costs of each symbol. */
  readonly #costs: readonly CostsByFirst[];
  /** For each symbol, the least over all classes. */
  readonly #least: Float64Array;
  readonly #dependsOnFirst: Uint8Array;
  /** The cheapest production of each nonterminal and class; -1 for none. */
  readonly #best: Int32Array;

  constructor(grammar: CompiledGrammar) {
    const { tables } = grammar;
    this.#grammar = grammar;
    this.firsts = new FirstClasses(grammar);
    this.#classes = this.firsts.unknown + 1;
    const terminals = tables.terminals.length;
    const symbols = terminals + tables.nonterminals.length;
    this.#costs = Array.from({ length: symbols }, (_, symbol) => {
      const costs = this.none();
      if (symbol < terminals) costs[this.#classOf(symbol)] = terminalCost(grammar, symbol);
      return costs;
    });
    this.#best = new Int32Array(tables.nonterminals.length * this.#classes).fill(-1);
    for (let changed = true; changed; ) changed = this.#improve();
    this.#least = Float64Array.from(this.#costs, leastOf);
    this.#dependsOnFirst = Uint8Array.from(tables.productionRight, (right, production) =>
      this.firsts.matters(tables.productionLeft[production]!) || right.some((each) => this.firsts.isCondition(each))
        ? 1
        : 0,
    );
  }

  /** Costs that allow no text. */
  none(): CostsByFirst {
    return new Float64Array(this.#classes).fill(Number.POSITIVE_INFINITY);
  }

  /** The fewest bytes of `symbols[from]` to `symbols[until - 1]`. */
  ofRange(symbols: Uint16Array, from: number, until: number): number {
    let costs = this.only(this.firsts.unknown, 0);
    for (let i = until; i > from; i--) costs = this.before(symbols[i - 1]!, costs);
    return leastOf(costs);
  }

  /** The costs of `symbol` followed by a text with the costs `behind`. */
  before(symbol: number, behind: CostsByFirst): CostsByFirst {
    const { firsts } = this;
    const costs = this.none();
    if (firsts.isCondition(symbol)) {
      for (let first = 0; first < costs.length; first++) {
        if (firsts.meets(symbol, first)) costs[first] = behind[first]!;
      }
      return costs;
    }
    const own = this.#costs[symbol]!;
    const least = leastOf(behind);
    for (let first = 0; first < firsts.unknown; first++) costs[first] = own[first]! + least;
    const empty = own[firsts.unknown]!;
    for (let first = 0; first < costs.length; first++) costs[first] = Math.min(costs[first]!, empty + behind[first]!);
    return costs;
  }

  /** The fewest bytes of a symbol over all classes. */
  of(symbol: number): number {
    return this.#least[symbol]!;
  }

  /** The costs of a text of `cost` bytes that begins with `first`. */
  only(first: number, cost: number): CostsByFirst {
    const costs = this.none();
    costs[first] = cost;
    return costs;
  }

  /** Whether the class of the first terminal matters in `production`, or for its left side. */
  dependsOnFirst(production: number): boolean {
    return this.#dependsOnFirst[production] === 1;
  }

  /**
   * The terminals of a cheapest text of `symbols[from]` to `symbols[until - 1]` whose first
   * terminal has the class `first` (any by default), and which precedes a text whose first terminal
   * has the class `behind`.
   */
  terminals(symbols: Uint16Array, from: number, until: number, behind: number, first?: number): readonly number[] {
    const costs: CostsByFirst[] = [this.only(behind, 0)];
    for (let i = until; i > from; i--) costs.push(this.before(symbols[i - 1]!, costs.at(-1)!));
    costs.reverse();
    return this.#write(symbols, from, costs, first ?? cheapest(costs[0]!));
  }

  /**
   * The terminals of `symbols` from `from` on, for a text that begins with the class `first`;
   * `costs[i]` are the costs from the i-th of these symbols on.
   */
  #write(symbols: Uint16Array, from: number, costs: readonly CostsByFirst[], first: number): readonly number[] {
    const written: number[] = [];
    let wanted = first;
    for (let i = 0; i + 1 < costs.length; i++) {
      const symbol = symbols[from + i]!;
      if (this.firsts.isCondition(symbol)) {
        written.push(symbol);
        continue;
      }
      const own = this.#costs[symbol]!;
      const { unknown } = this.firsts;
      const isEmpty = own[unknown]! + costs[i + 1]![wanted]! <= costs[i]![wanted]!;
      written.push(...this.#textOf(symbol, isEmpty ? unknown : wanted));
      if (!isEmpty) wanted = cheapest(costs[i + 1]!);
    }
    return written;
  }

  #textOf(symbol: number, first: number): readonly number[] {
    const { tables } = this.#grammar;
    const terminals = tables.terminals.length;
    if (symbol < terminals) return [symbol];
    const right = tables.productionRight[this.#best[(symbol - terminals) * this.#classes + first]!]!;
    return this.#write(right, 0, this.#costsFrom(right), first);
  }

  /** The costs of the rest of `symbols` from each place on, the end included. */
  #costsFrom(symbols: Uint16Array): readonly CostsByFirst[] {
    const costs = [this.only(this.firsts.unknown, 0)];
    for (let i = symbols.length; i > 0; i--) costs.push(this.before(symbols[i - 1]!, costs.at(-1)!));
    return costs.reverse();
  }

  /** A condition has no text, so its first terminal is unknown. */
  #classOf(terminal: number): number {
    return this.firsts.isCondition(terminal) ? this.firsts.unknown : this.firsts.of(terminal);
  }

  #improve(): boolean {
    const { tables } = this.#grammar;
    const first = tables.terminals.length;
    let changed = false;
    for (let production = 0; production < tables.productionLeft.length; production++) {
      const left = tables.productionLeft[production]!;
      const known = this.#costs[first + left]!;
      const [costs] = this.#costsFrom(tables.productionRight[production]!);
      for (let each = 0; each < this.#classes; each++) {
        if (costs![each]! >= known[each]!) continue;
        known[each] = costs![each]!;
        this.#best[left * this.#classes + each] = production;
        changed = true;
      }
    }
    return changed;
  }
}

/** The least of the costs; `Infinity` where they allow no text. */
export function leastOf(costs: CostsByFirst): number {
  let least = costs[0]!;
  for (let i = 1; i < costs.length; i++) if (costs[i]! < least) least = costs[i]!;
  return least;
}

/** The class with the least costs. */
function cheapest(costs: CostsByFirst): number {
  return costs.indexOf(leastOf(costs));
}

function terminalCost({ lex, layout, virtuals }: CompiledGrammar, terminal: number): number {
  if (terminal === 0) return unwritable;
  if (terminal === layout?.newline) return 1;
  if (terminal === layout?.indent) return indentBytes;
  if (terminal === layout?.dedent) return 0;
  if (virtuals.some((virtual) => virtual.terminal === terminal)) return 0;
  return lex.shortest[terminal]!.length || unwritable;
}

/**
 * Equivalence classes of terminals that no condition on the next terminal distinguishes, numbered
 * from 0. They matter where a nonterminal can begin in several ways, of which a condition before it
 * allows some.
 *
 * Conditions before a terminal are left out: there is nothing to choose.
 */
export class FirstClasses {
  /**
   * The class of texts whose first terminal is unknown, or which are empty. It comes after all
   * other classes and meets every condition.
   */
  readonly unknown: number;
  readonly #classOf: Uint8Array;
  /** For each counted condition, whether each class meets it. */
  readonly #meets: ReadonlyMap<number, Uint8Array>;
  /** For each nonterminal, 1 where its first terminal matters. */
  readonly #matters: Uint8Array;
  readonly #conditions: ReadonlySet<number>;

  constructor(grammar: CompiledGrammar) {
    const { tables, virtuals } = grammar;
    const requires = virtuals.filter(({ kind }) => kind === "require");
    this.#conditions = new Set(requires.map(({ terminal }) => terminal));
    const { counted, followers } = this.#followers(grammar);
    const distinguishing = requires.filter(({ terminal }) => counted.has(terminal));
    const classes = new Map<string, number>();
    this.#classOf = Uint8Array.from(tables.terminals, (_, terminal) => {
      const key = distinguishing.map((condition) => (allows(condition, terminal) ? 1 : 0)).join("");
      if (!classes.has(key)) classes.set(key, classes.size);
      return classes.get(key)!;
    });
    this.unknown = classes.size;
    const keys = [...classes.keys()];
    this.#meets = new Map(
      distinguishing.map(({ terminal }, i) => [terminal, Uint8Array.from([...keys.map((key) => Number(key[i])), 1])]),
    );
    this.#matters = this.#leftCorners(grammar, followers);
  }

  /** The class of `terminal`. */
  of(terminal: number): number {
    return this.#classOf[terminal]!;
  }

  /** Whether a terminal is a condition. */
  isCondition(terminal: number): boolean {
    return this.#conditions.has(terminal);
  }

  /** Whether a text of class `first` may follow the condition. */
  meets(condition: number, first: number): boolean {
    return this.#meets.get(condition)?.[first] !== 0;
  }

  /** Whether a condition may precede the first terminal of a nonterminal. */
  matters(nonterminal: number): boolean {
    return this.#matters[nonterminal] === 1;
  }

  /** The conditions that precede nonterminals, and those nonterminals. */
  #followers({ tables }: CompiledGrammar): { readonly counted: Set<number>; readonly followers: Set<number> } {
    const counted = new Set<number>();
    const followers = new Set<number>();
    for (const right of tables.productionRight) {
      const before: number[] = [];
      for (const symbol of right) {
        if (this.#conditions.has(symbol)) {
          before.push(symbol);
          continue;
        }
        if (symbol >= tables.terminals.length && before.length > 0) {
          for (const condition of before) counted.add(condition);
          followers.add(symbol - tables.terminals.length);
        }
        before.length = 0;
      }
    }
    return { counted, followers };
  }

  /** These nonterminals, and all that they can begin with (their left corners). */
  #leftCorners({ tables }: CompiledGrammar, of: ReadonlySet<number>): Uint8Array {
    const corners = new Uint8Array(tables.nonterminals.length);
    for (const nonterminal of of) corners[nonterminal] = 1;
    for (let changed = true; changed; ) {
      changed = false;
      tables.productionRight.forEach((right, production) => {
        if (corners[tables.productionLeft[production]!] === 0) return;
        const first = right.find((symbol) => !this.#conditions.has(symbol));
        if (first === undefined || first < tables.terminals.length) return;
        if (corners[first - tables.terminals.length] === 1) return;
        corners[first - tables.terminals.length] = 1;
        changed = true;
      });
    }
    return corners;
  }
}

function allows({ nextIn, nextNotIn }: VirtualTerminal, terminal: number): boolean {
  return nextIn?.[terminal] !== 0 && nextNotIn?.[terminal] !== 1;
}
