import { getOrInsert } from "../../text/index.ts";
import { printExpression } from "../tables/expressions.ts";
import type { Expression, GrammarSource, Rule } from "../tables/grammar-source.ts";

/**
 * Makes each `split` token a terminal of its own, which may stand wherever its parts may stand side
 * by side; for notations in which a lexeme is one terminal. Where the parts belong to two rules,
 * variants of these rules end and begin inside of the token. Terminals without text must have been
 * left out, since the parts could stand on both sides of one.
 *
 * Law: with the parts in place of these terminals, the sequences of terminals are those of
 * `source`.
 */
export function withSplitTerminals(source: GrammarSource): GrammarSource {
  const { lexical } = source;
  if (lexical.tokens.every(({ splitsInto }) => splitsInto === undefined)) return source;
  const tokens = lexical.tokens.map(({ splitsInto: _, ...token }) => token);
  return { ...source, rules: new Splitting(source).rules(), lexical: { ...lexical, tokens } };
}

/** Where a text begins or ends: 0 outside of split tokens, else inside of one, behind a part. */
type Place = number;

/** The places where the texts of an expression may end, by the place where they begin. */
type Ways = ReadonlyMap<Place, ReadonlySet<Place>>;

const nothing: Expression = { kind: "sequence", items: [] };
const outside: Ways = new Map([[0, new Set([0])]]);

/** Writes the first part of a split token as the token, and its other parts as nothing. */
class Splitting {
  readonly #rules: ReadonlyMap<string, Rule>;
  /** A name for each place, which is empty outside of split tokens. */
  readonly #places = [""];
  /** The parts of split tokens, by {@link printExpression}. */
  readonly #parts = new Map<string, { readonly from: Place; readonly to: Place; readonly written: Expression }[]>();
  readonly #waysOfRules: Map<string, Ways>;
  /** Expressions whose texts begin or end inside of split tokens, by the names of their rules. */
  readonly #variants = new Map<string, Rule & { readonly from: Place; readonly to: Place }>();

  constructor({ rules, lexical }: GrammarSource) {
    this.#rules = new Map(rules.map((rule) => [rule.name, rule]));
    for (const { name, splitsInto = [] } of lexical.tokens) {
      let from = 0;
      for (const [i, part] of splitsInto.entries()) {
        const terminal: Expression =
          typeof part === "string" ? { kind: "symbol", name: part } : { kind: "literal", text: part.literal };
        const to = i + 1 === splitsInto.length ? 0 : this.#places.push(i === 0 ? name : `${name} ${i + 1}`) - 1;
        const written: Expression = i === 0 ? { kind: "symbol", name } : nothing;
        getOrInsert(this.#parts, printExpression(terminal), () => []).push({ from, to, written });
        from = to;
      }
    }
    // Also a rule that fits no text is written as it is.
    this.#waysOfRules = new Map(rules.map(({ name }) => [name, outside]));
    const size = () => [...this.#waysOfRules.values()].reduce((sum, ways) => sum + sizeOf(ways), 0);
    for (let before = -1; before !== size(); ) {
      before = size();
      for (const { name, expression } of rules)
        this.#waysOfRules.set(name, united([outside, this.#waysOf(expression)]));
    }
  }

  rules(): readonly Rule[] {
    const written = [...this.#rules.values()].map((rule) => ({
      ...rule,
      expression: this.#write(rule.expression, 0, 0),
    }));
    // The map grows during the loop.
    for (const { name, expression, from, to } of this.#variants.values())
      written.push({ name, expression: this.#write(expression, from, to) });
    return written;
  }

  #waysOf(expression: Expression): Ways {
    const empty: Ways = new Map(this.#places.map((_, place) => [place, new Set([place])]));
    switch (expression.kind) {
      case "literal":
        return expression.text === "" ? empty : this.#waysOfTerminal(expression);
      case "symbol":
        return this.#waysOfRules.get(expression.name) ?? this.#waysOfTerminal(expression);
      case "sequence":
        return expression.items.map((item) => this.#waysOf(item)).reduce(joined, empty);
      case "choice":
        return united(expression.items.map((item) => this.#waysOf(item)));
      case "optional":
        return united([empty, this.#waysOf(expression.item)]);
      case "repeat": {
        const item = this.#waysOf(expression.item);
        let ways = empty;
        for (let before = -1; before !== sizeOf(ways); ) {
          before = sizeOf(ways);
          ways = united([ways, joined(ways, item)]);
        }
        return ways;
      }
      default:
        return this.#waysOf(writtenOut(expression));
    }
  }

  #waysOfTerminal(terminal: Expression): Ways {
    const parts = this.#parts.get(printExpression(terminal)) ?? [];
    return united([outside, ...parts.map(({ from, to }): Ways => new Map([[from, new Set([to])]]))]);
  }

  /** The texts of `expression` that begin at `from` and end at `to`, which is one of its ways. */
  #write(expression: Expression, from: Place, to: Place): Expression {
    switch (expression.kind) {
      case "literal":
        return this.#writeTerminal(expression, from, to);
      case "symbol": {
        const rule = this.#rules.get(expression.name);
        return rule === undefined ? this.#writeTerminal(expression, from, to) : this.#variant(rule, from, to);
      }
      case "sequence":
        return this.#writeSequence(expression.items, from, to);
      case "choice": {
        const items = expression.items.filter((item) => leads(this.#waysOf(item), from, to));
        return choiceOf(items.map((item) => this.#write(item, from, to)));
      }
      case "optional": {
        const { item } = expression;
        if (!leads(this.#waysOf(item), from, to)) return nothing;
        const written = this.#write(item, from, to);
        return from === to ? { kind: "optional", item: written } : written;
      }
      case "list":
        return this.#write(writtenOut(expression), from, to);
      default: {
        const { kind, item } = expression;
        if (from === 0 && to === 0 && this.#isOutside(item)) return { kind, item: this.#write(item, 0, 0) };
        if (kind === "repeat1") return this.#write(writtenOut(expression), from, to);
        const some: Expression = { kind: "sequence", items: [item, expression] };
        return this.#variant(
          { name: `repeat ${printExpression(item)}`, expression: { kind: "optional", item: some } },
          from,
          to,
        );
      }
    }
  }

  #writeTerminal(terminal: Expression, from: Place, to: Place): Expression {
    const parts = this.#parts.get(printExpression(terminal)) ?? [];
    return parts.find((part) => part.from === from && part.to === to)?.written ?? terminal;
  }

  #writeSequence(items: readonly Expression[], from: Place, to: Place): Expression {
    const ways = items.map((item) => this.#waysOf(item));
    // The places between items, forwards and then only those from which the end is reached.
    const between: Place[][] = [[from]];
    for (const [i, way] of ways.entries()) {
      between.push([...new Set(between[i]!.flatMap((place) => [...(way.get(place) ?? [])]))]);
    }
    between[items.length] = [to];
    for (let i = items.length - 1; i >= 0; i--) {
      between[i] = between[i]!.filter((place) => between[i + 1]!.some((next) => leads(ways[i]!, place, next)));
    }
    const written: Expression[] = [];
    for (let start = 0, end = 1; start < items.length; start = end, end++) {
      while (between[end]!.length > 1) end++;
      const [before, behind] = [between[start]![0]!, between[end]![0]!];
      const [first, ...others] = items.slice(start, end) as [Expression, ...Expression[]];
      // With a name, since it is written once for each place.
      const rest: Expression = { kind: "sequence", items: others };
      const named = { name: `rest ${printExpression(rest)}`, expression: rest };
      const alternatives = between[start + 1]!.map((place): Expression => {
        const begun = this.#write(first, before, place);
        if (others.length === 0) return begun;
        const ended =
          others.length === 1 ? this.#write(others[0]!, place, behind) : this.#variant(named, place, behind);
        return { kind: "sequence", items: [begun, ended] };
      });
      written.push(choiceOf(alternatives));
    }
    return { kind: "sequence", items: written };
  }

  /** A rule for the texts of `rule` that begin at `from` and end at `to`. */
  #variant({ name, expression }: Rule, from: Place, to: Place): Expression {
    if (from === 0 && to === 0 && this.#rules.has(name)) return { kind: "symbol", name };
    const variant = `${name}${from === 0 ? "" : ` from ${this.#places[from]}`}${to === 0 ? "" : ` to ${this.#places[to]}`}`;
    getOrInsert(this.#variants, variant, () => ({ name: variant, expression, from, to }));
    return { kind: "symbol", name: variant };
  }

  /** Whether no two texts of `expression` share a split token, one behind the other. */
  #isOutside(expression: Expression): boolean {
    const ways = this.#waysOf(expression);
    const inside = [...this.#places.keys()].slice(1);
    return !inside.some((place) => leads(ways, 0, place)) || !inside.some((place) => leads(ways, place, 0));
  }
}

function leads(ways: Ways, from: Place, to: Place): boolean {
  return ways.get(from)?.has(to) === true;
}

function united(all: readonly Ways[]): Ways {
  const sum = new Map<Place, Set<Place>>();
  for (const ways of all) {
    for (const [from, ends] of ways) {
      const known = getOrInsert(sum, from, () => new Set<Place>());
      for (const to of ends) known.add(to);
    }
  }
  return sum;
}

function joined(before: Ways, behind: Ways): Ways {
  return new Map(
    [...before].map(([from, ends]) => [from, new Set([...ends].flatMap((to) => [...(behind.get(to) ?? [])]))]),
  );
}

function sizeOf(ways: Ways): number {
  return [...ways.values()].reduce((sum, { size }) => sum + size, 0);
}

/** One item, and then any number of further ones. */
function writtenOut(expression: Expression & { readonly kind: "repeat1" | "list" }): Expression {
  const { kind, item } = expression;
  const next: Expression = kind === "list" ? { kind: "sequence", items: [expression.separator, item] } : item;
  return { kind: "sequence", items: [item, { kind: "repeat", item: next }] };
}

function choiceOf(items: readonly Expression[]): Expression {
  return items.length === 1 ? items[0]! : { kind: "choice", items };
}
