import { simplifyExpression } from "../tables/expressions.ts";
import type { Expression, GrammarSource } from "../tables/grammar-source.ts";
import { layoutTerminals } from "../tables/plain-grammar.ts";

/**
 * The grammar without its conditions, insertions, and ends of lines and blocks in the rules, for
 * notations whose terminals all have text.
 *
 * The language becomes the same or larger: every condition holds, and every insertion is allowed.
 */
export function withoutTextless(source: GrammarSource): GrammarSource {
  const textless = new Set([...source.lexical.virtuals.map(({ name }) => name), ...layoutTerminals(source.lexical)]);
  const leaveOut = (expression: Expression): Expression => {
    if (expression.kind === "symbol")
      return textless.has(expression.name) ? { kind: "sequence", items: [] } : expression;
    if (expression.kind === "literal") return expression;
    if ("items" in expression) return { kind: expression.kind, items: expression.items.map(leaveOut) };
    if (expression.kind !== "list") return { kind: expression.kind, item: leaveOut(expression.item) };
    return { kind: "list", item: leaveOut(expression.item), separator: leaveOut(expression.separator) };
  };
  const rules = source.rules.map((rule) => ({ ...rule, expression: simplifyExpression(leaveOut(rule.expression)) }));
  return { ...source, rules };
}
