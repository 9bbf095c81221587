import type { Expression } from "../tables/grammar-source.ts";

/**
 * An expression that says the same without empty parts, and without lists: nothing is written as a
 * sequence of no items, and is nowhere within another expression.
 */
export function simplifyExpression(expression: Expression): Expression {
  switch (expression.kind) {
    case "symbol":
      return expression;
    case "literal":
      return expression.text === "" ? nothing : expression;
    case "sequence": {
      const items = expression.items
        .map(simplifyExpression)
        .flatMap((item) => (item.kind === "sequence" ? item.items : [item]));
      return items.length === 1 ? items[0]! : { kind: "sequence", items };
    }
    case "choice": {
      const items = expression.items.map(simplifyExpression);
      const some = items.filter((item) => !isNothing(item));
      if (some.length === 0) return nothing;
      const choice: Expression = some.length === 1 ? some[0]! : { kind: "choice", items: some };
      return some.length === items.length ? choice : simplifyExpression({ kind: "optional", item: choice });
    }
    case "list": {
      const [item, separator] = [simplifyExpression(expression.item), simplifyExpression(expression.separator)];
      const rest = simplifyExpression({ kind: "sequence", items: [separator, item] });
      return simplifyExpression({ kind: "sequence", items: [item, { kind: "repeat", item: rest }] });
    }
    default: {
      const item = simplifyExpression(expression.item);
      if (isNothing(item)) return nothing;
      // Once or more of what may be missing is any number of it.
      if (item.kind === "optional")
        return { kind: expression.kind === "optional" ? "optional" : "repeat", item: item.item };
      if (item.kind === "repeat") return item;
      if (item.kind === "repeat1") return expression.kind === "repeat1" ? item : { kind: "repeat", item: item.item };
      return { kind: expression.kind, item };
    }
  }
}

const nothing: Expression = { kind: "sequence", items: [] };

export function isNothing(expression: Expression): boolean {
  return expression.kind === "sequence" && expression.items.length === 0;
}
