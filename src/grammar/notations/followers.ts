import { getOrInsert } from "../../text/index.ts";
import type { Expression, Rule } from "../tables/grammar-source.ts";

/** A token by its name, or a literal, as modes name them. */
type Terminal = string | { readonly literal: string };

/** A terminal as a key of sets and maps. */
export const terminalKey = (terminal: Terminal): string => JSON.stringify(terminal);

/** The terminals that an expression may begin and end with, and whether it may be empty. */
interface Ends {
  readonly firsts: ReadonlySet<string>;
  readonly lasts: ReadonlySet<string>;
  readonly isEmpty: boolean;
}

/**
 * The terminals that may come directly after each terminal, by {@link terminalKey}. Symbols in
 * `textless` have no text.
 */
export function followersOf(
  rules: readonly Rule[],
  textless: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const nothing: Ends = { firsts: new Set(), lasts: new Set(), isEmpty: false };
  const empty: Ends = { ...nothing, isEmpty: true };
  const ofRules = new Map(rules.map(({ name }) => [name, nothing]));
  const followers = new Map<string, Set<string>>();
  const isRule = new Set(ofRules.keys());
  const terminal = (key: string): Ends => ({ firsts: new Set([key]), lasts: new Set([key]), isEmpty: false });

  const join = (before: Ends, behind: Ends): Ends => {
    for (const last of before.lasts) {
      const known = getOrInsert(followers, last, () => new Set<string>());
      for (const first of behind.firsts) known.add(first);
    }
    return {
      firsts: before.isEmpty ? new Set([...before.firsts, ...behind.firsts]) : before.firsts,
      lasts: behind.isEmpty ? new Set([...before.lasts, ...behind.lasts]) : behind.lasts,
      isEmpty: before.isEmpty && behind.isEmpty,
    };
  };
  const endsOf = (expression: Expression): Ends => {
    switch (expression.kind) {
      case "literal":
        return expression.text === "" ? empty : terminal(terminalKey({ literal: expression.text }));
      case "symbol":
        if (isRule.has(expression.name)) return ofRules.get(expression.name)!;
        return textless.has(expression.name) ? empty : terminal(terminalKey(expression.name));
      case "sequence":
        return expression.items.map(endsOf).reduce(join, empty);
      case "choice": {
        const all = expression.items.map(endsOf);
        return {
          firsts: new Set(all.flatMap(({ firsts }) => [...firsts])),
          lasts: new Set(all.flatMap(({ lasts }) => [...lasts])),
          isEmpty: all.some(({ isEmpty }) => isEmpty),
        };
      }
      case "list": {
        const item = endsOf(expression.item);
        return join(join(item, { ...endsOf(expression.separator), isEmpty: true }), { ...item, isEmpty: true });
      }
      default: {
        const item = endsOf(expression.item);
        join(item, item);
        return expression.kind === "optional" || expression.kind === "repeat" ? { ...item, isEmpty: true } : item;
      }
    }
  };

  const size = () =>
    [...ofRules.values()].reduce(
      (sum, { firsts, lasts, isEmpty }) => sum + firsts.size + lasts.size + Number(isEmpty),
      0,
    );
  for (let before = -1; before !== size(); ) {
    before = size();
    for (const { name, expression } of rules) ofRules.set(name, endsOf(expression));
  }
  return followers;
}
