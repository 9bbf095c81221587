import type { CompiledGrammar } from "./compiled-grammar.ts";

/** Bytes that a line break with the indentation of a new block is counted with. */
const indentBytes = 4;

/** The fewest bytes that each symbol of a grammar can be written with, blanks between lexemes aside, and how. */
export class YieldCosts {
  readonly #grammar: CompiledGrammar;
  readonly #cost: Float64Array;
  /** For each nonterminal the production to write. */
  readonly #best: Int32Array;

  constructor(grammar: CompiledGrammar) {
    const { tables } = grammar;
    this.#grammar = grammar;
    const terminals = tables.terminals.length;
    this.#cost = new Float64Array(terminals + tables.nonterminals.length).fill(Number.POSITIVE_INFINITY);
    this.#best = new Int32Array(tables.nonterminals.length).fill(-1);
    for (let terminal = 0; terminal < terminals; terminal++) this.#cost[terminal] = terminalCost(grammar, terminal);
    for (let changed = true; changed; ) changed = this.#improve();
  }

  /** The fewest bytes of a symbol. */
  of(symbol: number): number {
    return this.#cost[symbol]!;
  }

  /** The fewest bytes of `symbols[from]` to `symbols[until - 1]`. */
  ofRange(symbols: Uint16Array, from: number, until: number): number {
    let cost = 0;
    for (let i = from; i < until; i++) cost += this.#cost[symbols[i]!]!;
    return cost;
  }

  /** The terminals of a symbol's shortest text. */
  terminals(symbol: number): readonly number[] {
    const { tables } = this.#grammar;
    const first = tables.terminals.length;
    if (symbol < first) return [symbol];
    return [...tables.productionRight[this.#best[symbol - first]!]!].flatMap((each) => this.terminals(each));
  }

  #improve(): boolean {
    const { tables } = this.#grammar;
    let changed = false;
    for (let production = 0; production < tables.productionLeft.length; production++) {
      const left = tables.productionLeft[production]!;
      const right = tables.productionRight[production]!;
      const cost = this.ofRange(right, 0, right.length);
      if (cost >= this.#cost[tables.terminals.length + left]!) continue;
      this.#cost[tables.terminals.length + left] = cost;
      this.#best[left] = production;
      changed = true;
    }
    return changed;
  }
}

function terminalCost({ lex, layout, virtuals }: CompiledGrammar, terminal: number): number {
  if (terminal === 0) return Number.POSITIVE_INFINITY;
  if (terminal === layout?.newline) return 1;
  if (terminal === layout?.indent) return indentBytes;
  if (terminal === layout?.dedent) return 0;
  if (virtuals.some((virtual) => virtual.terminal === terminal)) return 0;
  const lexeme = lex.shortest[terminal]!;
  if (lexeme.length === 0) return Number.POSITIVE_INFINITY;
  return lexeme.length;
}

/** Whether a byte belongs to words in most languages: letters, digits, `_`, `$`, and all beyond ASCII. */
export function isWordByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x5f ||
    byte === 0x24 ||
    byte >= 0x80
  );
}
