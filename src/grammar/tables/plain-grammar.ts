import { getOrInsert } from "../../text/index.ts";
import { componentsOf } from "./components.ts";
import { literalsIn, printExpression } from "./expressions.ts";
import type { Expression, GrammarSource, LexicalSource, NextTerminal } from "./grammar-source.ts";

/**
 * A context-free grammar in the form that the LALR construction needs.
 *
 * A symbol is a number: terminal `t` is `t`, nonterminal `n` is `terminals.length + n`. Each
 * nonterminal is reachable from the start and derives some text. No right side is empty, and no
 * nonterminal derives itself alone, so that no sequence of reductions is endless. No production
 * occurs twice.
 */
export interface PlainGrammar {
  /**
   * The names of the terminals; 0 is the end of the text, which occurs in no production. The name
   * of a literal is its text in quotes.
   */
  readonly terminals: readonly string[];
  readonly nonterminals: readonly string[];
  /** Sorted by left side. */
  readonly productions: readonly Production[];
  /**
   * The start symbol, as the index of a nonterminal; `undefined` where the language is empty or
   * holds only the empty text.
   */
  readonly start: number | undefined;
  /** Whether the empty text belongs to the language; no production derives it. */
  readonly acceptsEmpty: boolean;
}

export interface Production {
  /** The index of a nonterminal. */
  readonly left: number;
  /** Symbols, at least one. */
  readonly right: readonly number[];
}

/**
 * Lowers the rules of a grammar to productions.
 *
 * Repetitions become left recursion; optional parts become alternatives with and without them.
 * Where the combinations are many, the rest of the sequence becomes a nonterminal of its own, so
 * that the number of productions grows linearly with the grammar. An undeclared name derives
 * nothing.
 */
export function toPlainGrammar(source: GrammarSource): PlainGrammar {
  const terminals = terminalsOf(source);
  const lowering = new Lowering(source, terminals);
  const isNullable = nullables(lowering.rules, terminals.length);
  const expanded = new Expansion(lowering.rules, isNullable, terminals, source.lexical).run();
  const start = lowering.nonterminalOf.get(source.start);
  const acceptsEmpty = start !== undefined && isNullable[start] === true;
  return { terminals, ...reduceGrammar(expanded, source.rules.length, start, terminals.length), acceptsEmpty };
}

/** The names of the terminals: the end, the tokens, the literals, those without text. */
function terminalsOf({ rules, lexical }: GrammarSource): string[] {
  const terminals = new Set(["end"]);
  for (const token of lexical.tokens) {
    if (token.kind === "token" && token.splitsInto === undefined) terminals.add(token.name);
  }
  for (const rule of rules) for (const literal of literalsIn(rule.expression)) terminals.add(JSON.stringify(literal));
  for (const { splitsInto = [] } of lexical.tokens) {
    for (const part of splitsInto) if (typeof part !== "string") terminals.add(JSON.stringify(part.literal));
  }
  for (const virtual of lexical.virtuals) terminals.add(virtual.name);
  for (const name of layoutTerminals(lexical)) terminals.add(name);
  return [...terminals];
}

/**
 * The names of the terminals of the layout: line break, indent and dedent; empty without a layout.
 */
export function layoutTerminals({ layout }: LexicalSource): readonly string[] {
  return layout === undefined ? [] : [layout.newline, layout.indent, layout.dedent];
}

/**
 * The names of the terminals that open and close a bracket or a block, between which another layout
 * holds; literals as JSON. Both sets are empty without a layout.
 */
export function layoutBrackets({ layout }: LexicalSource): {
  readonly opens: ReadonlySet<string>;
  readonly closes: ReadonlySet<string>;
} {
  if (layout === undefined) return { opens: new Set(), closes: new Set() };
  const nameOf = (terminal: NextTerminal): string =>
    typeof terminal === "string" ? terminal : JSON.stringify(terminal.literal);
  return {
    opens: new Set([layout.indent, ...layout.brackets.flatMap(({ open }) => open.map(nameOf))]),
    closes: new Set([layout.dedent, ...layout.brackets.flatMap(({ close }) => close.map(nameOf))]),
  };
}

/** A part of a sequence: a symbol or a group of parts, optional or not. */
interface Part {
  readonly symbols: number | readonly Part[];
  readonly isOptional: boolean;
}

/** A nonterminal whose alternatives may be empty. */
interface LoweredRule {
  readonly name: string;
  alternatives: readonly (readonly Part[])[];
}

/**
 * Lowers expressions to rules; parts that need a name, such as repeated ones, become nonterminals.
 */
class Lowering {
  readonly rules: LoweredRule[] = [];
  readonly nonterminalOf = new Map<string, number>();
  readonly #terminalOf: ReadonlyMap<string, number>;

  constructor(source: GrammarSource, terminals: readonly string[]) {
    this.#terminalOf = new Map(terminals.map((name, t) => [name, t]));
    for (const { name } of source.rules) this.#add(name);
    for (const { name, expression } of source.rules) {
      this.rules[this.nonterminalOf.get(name)!]!.alternatives = this.#alternatives(expression);
    }
  }

  #add(name: string): number {
    const known = this.nonterminalOf.get(name);
    if (known !== undefined) return known;
    this.nonterminalOf.set(name, this.rules.length);
    return this.rules.push({ name, alternatives: [] }) - 1;
  }

  /** The nonterminal for a part of a rule; equal expressions share one. */
  #helper(name: string, alternatives: (self: Part) => readonly (readonly Part[])[]): Part {
    const isNew = !this.nonterminalOf.has(name);
    const nonterminal = this.#add(name);
    const self = { symbols: this.#terminalOf.size + nonterminal, isOptional: false };
    if (isNew) this.rules[nonterminal]!.alternatives = alternatives(self);
    return self;
  }

  #alternatives(expression: Expression): readonly (readonly Part[])[] {
    if (expression.kind === "choice") return expression.items.flatMap((item) => this.#alternatives(item));
    if (expression.kind === "optional") return [...this.#alternatives(expression.item), []];
    return [this.#parts(expression)];
  }

  #parts(expression: Expression): readonly Part[] {
    switch (expression.kind) {
      case "symbol": {
        const terminal = expression.name === "end" ? undefined : this.#terminalOf.get(expression.name);
        // An undeclared name becomes a nonterminal without alternatives.
        return [{ symbols: terminal ?? this.#terminalOf.size + this.#add(expression.name), isOptional: false }];
      }
      case "literal": {
        const terminal = this.#terminalOf.get(JSON.stringify(expression.text));
        return terminal === undefined ? [] : [{ symbols: terminal, isOptional: false }];
      }
      case "sequence":
        return expression.items.flatMap((item) => this.#parts(item));
      case "choice":
        if (expression.items.length === 1) return this.#parts(expression.items[0]!);
        return [this.#helper(printExpression(expression), () => this.#alternatives(expression))];
      case "optional": {
        const parts = this.#parts(expression.item);
        if (parts.length === 1) return [{ symbols: parts[0]!.symbols, isOptional: true }];
        return parts.length === 0 ? [] : [{ symbols: parts, isOptional: true }];
      }
      case "repeat":
        return [{ ...this.#repeated(expression.item), isOptional: true }];
      case "repeat1":
        return [this.#repeated(expression.item)];
      case "list": {
        const item = this.#parts(expression.item);
        const separator = this.#parts(expression.separator);
        return [this.#helper(printExpression(expression), (self) => [item, [self, ...separator, ...item]])];
      }
    }
  }

  #repeated(item: Expression): Part {
    if (item.kind === "repeat1") return this.#repeated(item.item);
    // One or more repetitions of an optional item may be empty.
    if (item.kind === "repeat" || item.kind === "optional") return { ...this.#repeated(item.item), isOptional: true };
    const parts = this.#parts(item);
    return this.#helper(printExpression({ kind: "repeat1", item }), (self) => [parts, [self, ...parts]]);
  }
}

/** Whether each nonterminal is nullable: derives the empty text. */
function nullables(rules: readonly LoweredRule[], terminalCount: number): boolean[] {
  const isNullable: boolean[] = rules.map(() => false);
  const partIsNullable = ({ symbols, isOptional }: Part): boolean =>
    isOptional ||
    (typeof symbols === "number" ? isNullable[symbols - terminalCount] === true : symbols.every(partIsNullable));
  for (let changed = true; changed; ) {
    changed = false;
    for (const [n, { alternatives }] of rules.entries()) {
      if (isNullable[n] || !alternatives.some((parts) => parts.every(partIsNullable))) continue;
      isNullable[n] = true;
      changed = true;
    }
  }
  return isNullable;
}

/** A nonterminal and its right sides, none of them empty. */
interface ExpandedRule {
  readonly name: string;
  readonly rights: readonly (readonly number[])[];
}

/** The most right sides of one sequence, and the most symbols of a right side. */
const limits = { variants: 8, length: 64 };

/**
 * Replaces optional parts by alternatives with and without them, so that no right side is empty.
 */
class Expansion {
  readonly #rules: readonly LoweredRule[];
  readonly #isNullable: readonly boolean[];
  readonly #terminalCount: number;
  readonly #expanded: ExpandedRule[];
  readonly #tails = new Map<string, number>();
  readonly #opens: ReadonlySet<number>;
  readonly #closes: ReadonlySet<number>;

  constructor(
    rules: readonly LoweredRule[],
    isNullable: readonly boolean[],
    terminals: readonly string[],
    lexical: LexicalSource,
  ) {
    this.#rules = rules;
    this.#isNullable = isNullable;
    this.#terminalCount = terminals.length;
    const { opens, closes } = layoutBrackets(lexical);
    this.#opens = new Set([...opens].map((name) => terminals.indexOf(name)));
    this.#closes = new Set([...closes].map((name) => terminals.indexOf(name)));
    this.#expanded = rules.map(({ name }) => ({ name, rights: [] }));
  }

  run(): ExpandedRule[] {
    for (const [n, { name, alternatives }] of this.#rules.entries()) {
      const rights = alternatives.flatMap((parts) => this.#variants(parts)).filter((right) => right.length > 0);
      this.#expanded[n] = { name, rights };
    }
    return this.#expanded;
  }

  /** The alternatives of a sequence; one is empty where the sequence is nullable. */
  #variants(parts: readonly Part[]): readonly (readonly number[])[] {
    let variants: readonly (readonly number[])[] = [[]];
    for (const { symbols, isOptional } of parts.toReversed()) {
      const own =
        typeof symbols === "number"
          ? this.#isNullable[symbols - this.#terminalCount]
            ? [[symbols], []]
            : [[symbols]]
          : this.#variants(symbols);
      const first = isOptional && own.every((right) => right.length > 0) ? [...own, []] : own;
      const tooMany = first.length * variants.length > limits.variants && variants.length > 1;
      const length = longest(first) + longest(variants);
      if (tooMany || (length > limits.length && longest(variants) > 1)) variants = this.#named(variants);
      variants = distinct(first.flatMap((start) => variants.map((rest) => [...start, ...rest])));
    }
    return variants;
  }

  /**
   * The same alternatives with one nonterminal for those that are not empty. A closing bracket
   * stays in the production of its opening one.
   */
  #named(variants: readonly (readonly number[])[]): readonly (readonly number[])[] {
    const rights = variants.filter((right) => right.length > 0);
    const last = variants[0]?.at(-1);
    const isClosed = last !== undefined && this.#closes.has(last) && variants.every((right) => right.at(-1) === last);
    if (isClosed && !variants.flat().some((symbol) => this.#opens.has(symbol))) {
      return this.#named(variants.map((right) => right.slice(0, -1))).map((right) => [...right, last]);
    }
    if (rights.length === 0) return variants;
    const key = rights.map((right) => right.join(" ")).join("|");
    const tail = getOrInsert(
      this.#tails,
      key,
      () => this.#expanded.push({ name: `tail ${this.#tails.size + 1}`, rights }) - 1,
    );
    const named = [[this.#terminalCount + tail]];
    return rights.length < variants.length ? [...named, []] : named;
  }
}

function longest(rights: readonly (readonly number[])[]): number {
  return Math.max(0, ...rights.map((right) => right.length));
}

function distinct(rights: Iterable<readonly number[]>): (readonly number[])[] {
  return [...new Map([...rights].map((right) => [right.join(" "), right])).values()];
}

/**
 * Merges equal nonterminals, replaces nonterminals that derive a single symbol by that symbol, and
 * removes unproductive and unreachable ones. The first `writtenCount` nonterminals are rules of the
 * grammar's author; where one of them is merged into a generated one, the author's name is kept.
 */
function reduceGrammar(
  rules: readonly ExpandedRule[],
  writtenCount: number,
  start: number | undefined,
  terminalCount: number,
): Pick<PlainGrammar, "nonterminals" | "productions" | "start"> {
  const names = rules.map(({ name }) => name);
  let rights = withoutUnproductive(rules, terminalCount);
  // The symbol that each nonterminal was merged into, or itself.
  const symbolOf = rules.map((_, n) => terminalCount + n);
  for (;;) {
    const merged = mergedSymbols(
      rights,
      start === undefined ? undefined : symbolOf[start]! - terminalCount,
      terminalCount,
    );
    if (merged === undefined) break;
    const rename = (symbol: number): number => (symbol < terminalCount ? symbol : merged[symbol - terminalCount]!);
    const united: (readonly number[])[][] = rights.map(() => []);
    for (const [n, own] of rights.entries()) {
      const target = merged[n]! - terminalCount;
      if (target < 0) continue;
      united[target]!.push(...own.map((right) => right.map(rename)));
      if (n < writtenCount && target >= writtenCount && names[target] === rules[target]!.name)
        names[target] = names[n]!;
    }
    rights = united.map((own, n) =>
      distinct(own).filter((right) => right.length > 1 || right[0] !== terminalCount + n),
    );
    for (const [n, symbol] of symbolOf.entries()) symbolOf[n] = rename(symbol);
  }
  const first = start === undefined ? undefined : symbolOf[start]! - terminalCount;
  if (first === undefined || rights[first]!.length === 0)
    return { nonterminals: [], productions: [], start: undefined };

  const order: number[] = [first];
  const place = new Map([[first, 0]]);
  // The list grows during the loop.
  for (const n of order) {
    for (const symbol of rights[n]!.flat()) {
      const next = symbol - terminalCount;
      if (next < 0 || place.has(next)) continue;
      place.set(next, order.length);
      order.push(next);
    }
  }
  const renumber = (symbol: number): number =>
    symbol < terminalCount ? symbol : terminalCount + place.get(symbol - terminalCount)!;
  return {
    nonterminals: order.map((n) => names[n]!),
    productions: order.flatMap((n, left) => rights[n]!.map((right) => ({ left, right: right.map(renumber) }))),
    start: 0,
  };
}

/** The right sides without unproductive ones, in which some symbol derives no text. */
function withoutUnproductive(
  rules: readonly ExpandedRule[],
  terminalCount: number,
): readonly (readonly (readonly number[])[])[] {
  const isProductive = rules.map(() => false);
  const ends = (right: readonly number[]): boolean =>
    right.every((symbol) => symbol < terminalCount || isProductive[symbol - terminalCount]!);
  for (let changed = true; changed; ) {
    changed = false;
    for (const [n, { rights }] of rules.entries()) {
      if (isProductive[n] || !rights.some(ends)) continue;
      isProductive[n] = true;
      changed = true;
    }
  }
  return rules.map(({ rights }, n) =>
    distinct(rights.filter(ends)).filter((right) => right.length > 1 || right[0] !== terminalCount + n),
  );
}

/**
 * The symbol that replaces each nonterminal, or `undefined` when nothing is left to merge: one
 * member of its cycle of unit productions, its only right side if that is a single symbol, or a
 * nonterminal with the same productions.
 */
function mergedSymbols(
  rights: readonly (readonly (readonly number[])[])[],
  start: number | undefined,
  terminalCount: number,
): number[] | undefined {
  const cycles = unitCyclesOf(rights, terminalCount);
  const merged = rights.map((_, n) => terminalCount + cycles[n]!);
  if (cycles.some((cycle, n) => cycle !== n)) return merged;

  for (const [n, own] of rights.entries()) if (own.length === 1 && own[0]!.length === 1) merged[n] = own[0]![0]!;
  // Follows chains of replacements to their end; no cycles are left.
  const last = (symbol: number): number => {
    let at = symbol;
    while (at >= terminalCount && merged[at - terminalCount] !== at) at = merged[at - terminalCount]!;
    return at;
  };
  // The start symbol stays a nonterminal.
  if (start !== undefined && last(terminalCount + start) < terminalCount) merged[start] = terminalCount + start;
  let changed = false;
  const sameRights = new Map<string, number>();
  for (const [n, own] of rights.entries()) {
    const self = terminalCount + n;
    if (merged[n] !== self) {
      merged[n] = last(self);
      changed = true;
    } else if (own.length > 0) {
      const key = own
        .map((right) => right.map((symbol) => (symbol === self ? "self" : symbol)).join(" "))
        .sort()
        .join("|");
      const same = sameRights.get(key);
      if (same === undefined) sameRights.set(key, self);
      else {
        merged[n] = same;
        changed = true;
      }
    }
  }
  if (!changed) return undefined;
  return merged.map((_, n) => last(terminalCount + n));
}

/** For each nonterminal, the first member of its cycle of unit productions. */
function unitCyclesOf(rights: readonly (readonly (readonly number[])[])[], terminalCount: number): number[] {
  const units = rights.map((own) =>
    own.filter((right) => right.length === 1 && right[0]! >= terminalCount).map((right) => right[0]! - terminalCount),
  );
  return componentsOf(units);
}
