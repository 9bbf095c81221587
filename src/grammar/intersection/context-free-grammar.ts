import { charactersOf } from "../lexing/character-set.ts";
import type { CharacterSet } from "../lexing/pattern.ts";
import { printExpression } from "../tables/expressions.ts";
import type { Expression, GrammarSource, Rule } from "../tables/grammar-source.ts";
import { FiniteAutomaton } from "./finite-automaton.ts";
import { type ContextFreeProduction, type ContextFreeSymbol, Spans } from "./spans.ts";

/** A word: a sequence of terminals. A string is the sequence of its characters. */
export type Word = string | readonly string[];

/** The most characters of a token that is written out. */
const mostCharacters = 512;

/**
 * A context-free grammar as in textbooks: a start symbol and productions of any shape. Immutable.
 *
 * It is for small grammars, and for people to read; `compileGrammar` makes the tables to parse
 * programs with.
 */
export class ContextFreeGrammar {
  readonly start: string;
  readonly productions: readonly ContextFreeProduction[];
  /** The productions of each nonterminal that has any. */
  readonly productionsOf: ReadonlyMap<string, readonly ContextFreeProduction[]>;

  constructor(start: string, productions: readonly ContextFreeProduction[]) {
    this.start = start;
    this.productions = productions;
    const productionsOf = new Map<string, ContextFreeProduction[]>(productions.map(({ left }) => [left, []]));
    for (const production of productions) productionsOf.get(production.left)!.push(production);
    this.productionsOf = productionsOf;
  }

  /**
   * The productions of `source` over terminals: a literal is named by its text, a token by its
   * name, and so are conditions and the terminals of the layout. A token that matches single
   * characters is replaced by these, so that a grammar whose literals and tokens are single
   * characters becomes one over text. The rest of the lexical part is ignored.
   */
  static of({ start, rules, lexical }: GrammarSource): ContextFreeGrammar {
    const lowering = new Lowering(new Set(rules.map(({ name }) => name)));
    for (const { name, expression } of rules) lowering.rule(name, expression);
    for (const { name, pattern, kind } of lexical.tokens) {
      const characters = kind === "token" ? charactersOf(pattern) : undefined;
      if (characters !== undefined && sizeOf(characters) <= mostCharacters) lowering.token(name, characters);
    }
    return new ContextFreeGrammar(start, lowering.finish());
  }

  /** The terminals in the productions, each once. */
  get terminals(): readonly string[] {
    const symbols = this.productions.flatMap(({ right }) => right);
    return [...new Set(symbols.filter(({ kind }) => kind === "terminal").map(({ name }) => name))];
  }

  /** Whether the language is empty. */
  get isEmpty(): boolean {
    return !new Spans(this.productions, FiniteAutomaton.anyWord(this.terminals)).has(this.start, 0, 0);
  }

  /** Whether `word` belongs to the language. */
  contains(word: Word): boolean {
    const terminals = [...word];
    return new Spans(this.productions, FiniteAutomaton.word(terminals)).has(this.start, 0, terminals.length);
  }

  /** The grammar as a source whose terminals are all literals. */
  toSource(name: string): GrammarSource {
    const rules = [...this.productionsOf].map(([left, productions]): Rule => {
      const items = productions.map(({ right }): Expression => toSequence(right));
      return { name: left, expression: items.length === 1 ? items[0]! : { kind: "choice", items } };
    });
    const newline = { kind: "characters", set: [0x0a, 0x0a, 0x0d, 0x0d] } as const;
    return { name, start: this.start, rules, lexical: { tokens: [], reserved: [], modes: [], virtuals: [], newline } };
  }

  /** The rules as text, one a line, in Emend's notation. */
  toText(): string {
    return this.toSource("")
      .rules.map(({ name, expression }) => `${name} = ${printExpression(expression)}\n`)
      .join("");
  }
}

/** Lowers expressions to productions, with nonterminals for their parts. */
class Lowering {
  readonly #rules: ReadonlySet<string>;
  readonly #characterTokens = new Map<string, CharacterSet>();
  readonly #productions: ContextFreeProduction[] = [];
  #partCount = 0;

  constructor(rules: ReadonlySet<string>) {
    this.#rules = rules;
  }

  rule(name: string, expression: Expression): void {
    const items = expression.kind === "choice" ? expression.items : [expression];
    for (const item of items) this.#productions.push({ left: name, right: this.#symbols(item, name) });
  }

  token(name: string, characters: CharacterSet): void {
    this.#characterTokens.set(name, characters);
  }

  finish(): readonly ContextFreeProduction[] {
    const tokens = [...this.#characterTokens].flatMap(([left, set]) =>
      membersOf(set).map((text): ContextFreeProduction => ({ left, right: [{ kind: "terminal", name: text }] })),
    );
    const isName = ({ kind, name }: ContextFreeSymbol) => kind === "nonterminal" || this.#characterTokens.has(name);
    const productions = this.#productions.map(({ left, right }) => ({
      left,
      right: right.map((symbol) => (isName(symbol) ? ({ kind: "nonterminal", name: symbol.name } as const) : symbol)),
    }));
    return [...productions, ...tokens];
  }

  #symbols(expression: Expression, rule: string): readonly ContextFreeSymbol[] {
    switch (expression.kind) {
      case "symbol":
        return [{ kind: this.#rules.has(expression.name) ? "nonterminal" : "terminal", name: expression.name }];
      case "literal":
        return [{ kind: "terminal", name: expression.text }];
      case "sequence":
        return expression.items.flatMap((item) => this.#symbols(item, rule));
      case "choice":
        return this.#part(rule, () => expression.items.map((item) => this.#symbols(item, rule)));
      case "optional":
        return this.#part(rule, () => [this.#symbols(expression.item, rule), []]);
      case "repeat":
        return this.#part(rule, (self) => [[], [...self, ...this.#symbols(expression.item, rule)]]);
      case "repeat1": {
        const item = this.#symbols(expression.item, rule);
        return this.#part(rule, (self) => [item, [...self, ...item]]);
      }
      case "list": {
        const item = this.#symbols(expression.item, rule);
        const separator = this.#symbols(expression.separator, rule);
        return this.#part(rule, (self) => [item, [...self, ...separator, ...item]]);
      }
    }
  }

  #part(
    rule: string,
    rightsOf: (self: readonly ContextFreeSymbol[]) => readonly (readonly ContextFreeSymbol[])[],
  ): readonly ContextFreeSymbol[] {
    let name: string;
    do name = `${rule}_part${++this.#partCount}`;
    while (this.#rules.has(name));
    const self = [{ kind: "nonterminal", name } as const];
    for (const right of rightsOf(self)) this.#productions.push({ left: name, right });
    return self;
  }
}

function toSequence(right: readonly ContextFreeSymbol[]): Expression {
  const items = right.map(
    ({ kind, name }): Expression => (kind === "terminal" ? { kind: "literal", text: name } : { kind: "symbol", name }),
  );
  return items.length === 1 ? items[0]! : { kind: "sequence", items };
}

function sizeOf(set: CharacterSet): number {
  let size = 0;
  for (let i = 0; i < set.length; i += 2) size += set[i + 1]! - set[i]! + 1;
  return size;
}

function membersOf(set: CharacterSet): readonly string[] {
  const members: string[] = [];
  for (let i = 0; i < set.length; i += 2) {
    for (let code = set[i]!; code <= set[i + 1]!; code++) members.push(String.fromCodePoint(code));
  }
  return members;
}
