import type { CompiledGrammar, VirtualTerminal } from "./compiled-grammar.ts";

/**
 * Terminals as far as conditions on what comes next tell them apart, counted from 0: for what can
 * be begun in several ways, of which a condition before it allows some only.
 *
 * Conditions that stand before a terminal are not counted: nothing is to be chosen there.
 */
export class FirstClasses {
  /**
   * The class of what begins with an unknown terminal, or with none; it is behind all others, and
   * meets every condition.
   */
  readonly unknown: number;
  readonly #classOf: Uint8Array;
  /** For each condition that is counted, whether each class meets it. */
  readonly #meets: ReadonlyMap<number, Uint8Array>;
  /** For each nonterminal, whether it matters what it begins with. */
  readonly #matters: Uint8Array;
  readonly #conditions: ReadonlySet<number>;

  constructor(grammar: CompiledGrammar) {
    const { tables, virtuals } = grammar;
    const requires = virtuals.filter(({ kind }) => kind === "require");
    this.#conditions = new Set(requires.map(({ terminal }) => terminal));
    const { counted, followers } = this.#followers(grammar);
    const telling = requires.filter(({ terminal }) => counted.has(terminal));
    const classes = new Map<string, number>();
    this.#classOf = Uint8Array.from(tables.terminals, (_, terminal) => {
      const key = telling.map((condition) => (allows(condition, terminal) ? 1 : 0)).join("");
      if (!classes.has(key)) classes.set(key, classes.size);
      return classes.get(key)!;
    });
    this.unknown = classes.size;
    const keys = [...classes.keys()];
    this.#meets = new Map(
      telling.map(({ terminal }, i) => [terminal, Uint8Array.from([...keys.map((key) => Number(key[i])), 1])]),
    );
    this.#matters = this.#leftCorners(grammar, followers);
  }

  /** The class of what begins with `terminal`. */
  of(terminal: number): number {
    return this.#classOf[terminal]!;
  }

  /** Whether a terminal is a condition. */
  isCondition(terminal: number): boolean {
    return this.#conditions.has(terminal);
  }

  /** Whether a text of class `first` may stand behind the condition. */
  meets(condition: number, first: number): boolean {
    return this.#meets.get(condition)?.[first] !== 0;
  }

  /** Whether a condition may stand before what a nonterminal begins with. */
  matters(nonterminal: number): boolean {
    return this.#matters[nonterminal] === 1;
  }

  /** The conditions that stand before nonterminals, and those nonterminals. */
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

  /** These nonterminals, and what they can begin with. */
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
