import { componentsOf } from "./components.ts";
import type { PlainGrammar } from "./plain-grammar.ts";

/** Where a condition can be stated any number of times in a row. */
export interface RepeatedCondition {
  /** The nonterminal in which it repeats, by name. */
  readonly nonterminal: string;
  /** The name of the condition. */
  readonly condition: string;
}

/**
 * A condition that can be repeated without text between, so that there are endlessly many ways to
 * read the same text; `undefined` where there is none. `conditions` are the names of the terminals
 * that state one.
 *
 * Such a row grows in a nonterminal that derives itself with nothing but conditions on one side of
 * it, and with one at least.
 */
export function repeatedCondition(plain: PlainGrammar, conditions: ReadonlySet<string>): RepeatedCondition | undefined {
  const { terminals, nonterminals, productions } = plain;
  const first = terminals.length;
  const conditionOf = symbolsOfConditionsAlone(plain, conditions);
  for (const side of ["left", "right"] as const) {
    const edges: Set<number>[] = nonterminals.map(() => new Set());
    const growing: { readonly from: number; readonly to: number; readonly condition: number }[] = [];
    for (const { left, right } of productions) {
      const symbols = side === "left" ? right : right.toReversed();
      let condition: number | undefined;
      for (const symbol of symbols) {
        if (symbol >= first) {
          edges[left]!.add(symbol - first);
          if (condition !== undefined) growing.push({ from: left, to: symbol - first, condition });
        }
        if (!conditionOf.has(symbol)) break;
        condition ??= conditionOf.get(symbol);
      }
    }
    const component = componentsOf(edges.map((targets) => [...targets]));
    const found = growing.find(({ from, to }) => component[from] === component[to]);
    if (found !== undefined) return { nonterminal: nonterminals[found.from]!, condition: terminals[found.condition]! };
  }
  return undefined;
}

/** The symbols that can stand for conditions alone, each with one of these. */
function symbolsOfConditionsAlone(
  { terminals, productions }: PlainGrammar,
  conditions: ReadonlySet<string>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const [t, name] of terminals.entries()) if (conditions.has(name)) found.set(t, t);
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { left, right } of productions) {
      const nonterminal = terminals.length + left;
      if (!found.has(nonterminal) && right.every((symbol) => found.has(symbol))) {
        found.set(nonterminal, found.get(right[0]!)!);
      }
    }
  }
  return found;
}
