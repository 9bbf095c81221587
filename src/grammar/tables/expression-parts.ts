import type { Expression } from "./grammar-source.ts";

/** The names in an expression, in reading order. */
export function* symbolsIn(expression: Expression): Generator<string> {
  if (expression.kind === "symbol") yield expression.name;
  else if ("items" in expression) for (const item of expression.items) yield* symbolsIn(item);
  else if ("item" in expression) yield* symbolsIn(expression.item);
  if (expression.kind === "list") yield* symbolsIn(expression.separator);
}

/** The literals of an expression, in reading order. */
export function* literalsIn(expression: Expression): Generator<string> {
  if (expression.kind === "literal") {
    if (expression.text !== "") yield expression.text;
  } else if ("items" in expression) for (const item of expression.items) yield* literalsIn(item);
  else if ("item" in expression) yield* literalsIn(expression.item);
  if (expression.kind === "list") yield* literalsIn(expression.separator);
}
