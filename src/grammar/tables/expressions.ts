import type { Expression } from "./grammar-source.ts";

/**
 * The names in an expression, from left to right, each as often as it occurs. A separator comes
 * after its item.
 */
export function* symbolsIn(expression: Expression): Generator<string> {
  if (expression.kind === "symbol") yield expression.name;
  else if ("items" in expression) for (const item of expression.items) yield* symbolsIn(item);
  else if ("item" in expression) yield* symbolsIn(expression.item);
  if (expression.kind === "list") yield* symbolsIn(expression.separator);
}

/**
 * The texts of the literals in an expression, from left to right, each as often as it occurs; empty
 * ones are left out.
 */
export function* literalsIn(expression: Expression): Generator<string> {
  if (expression.kind === "literal") {
    if (expression.text !== "") yield expression.text;
  } else if ("items" in expression) for (const item of expression.items) yield* literalsIn(item);
  else if ("item" in expression) yield* literalsIn(expression.item);
  if (expression.kind === "list") yield* literalsIn(expression.separator);
}

/**
 * An expression in Emend's notation, such as `"(" (Value % ",")? ")"`, without parentheses around
 * it.
 */
export function printExpression(expression: Expression): string {
  return print(expression, Tightness.choice);
}

/** Binding strength of the operators, from loose to tight. */
const Tightness = { choice: 0, sequence: 1, list: 2, postfix: 3 } as const;

function print(expression: Expression, around: number): string {
  switch (expression.kind) {
    case "symbol":
      return expression.name;
    case "literal":
      return printText(expression.text);
    case "choice":
      if (expression.items.length === 1) return print(expression.items[0]!, around);
      return grouped(
        expression.items.map((item) => print(item, Tightness.sequence)).join(" | "),
        around > Tightness.choice,
      );
    case "sequence":
      if (expression.items.length === 0) return "()";
      if (expression.items.length === 1) return print(expression.items[0]!, around);
      return grouped(
        expression.items.map((item) => print(item, Tightness.list)).join(" "),
        around > Tightness.sequence,
      );
    case "list": {
      const item = print(expression.item, Tightness.postfix);
      return grouped(`${item} % ${print(expression.separator, Tightness.postfix)}`, around > Tightness.list);
    }
    case "optional":
      return `${print(expression.item, Tightness.postfix)}?`;
    case "repeat":
      return `${print(expression.item, Tightness.postfix)}*`;
    case "repeat1":
      return `${print(expression.item, Tightness.postfix)}+`;
  }
}

const escapes = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\t", "\\t"],
  ["\r", "\\r"],
]);

/**
 * `text` in quotes, with the escapes of the notation; invisible characters are written by their
 * code points.
 */
function printText(text: string): string {
  const printed = text.replace(
    /["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => escapes.get(character) ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return `"${printed}"`;
}

/** `text`, in parentheses where they are needed. */
export function grouped(text: string, isNeeded: boolean): string {
  return isNeeded ? `(${text})` : text;
}

/**
 * An equivalent expression without empty parts and lists: the empty text is a sequence of no items,
 * and occurs only as the whole expression.
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
      // One or more repetitions of an optional item are zero or more of the item.
      if (item.kind === "optional")
        return { kind: expression.kind === "optional" ? "optional" : "repeat", item: item.item };
      if (item.kind === "repeat") return item;
      if (item.kind === "repeat1") return expression.kind === "repeat1" ? item : { kind: "repeat", item: item.item };
      return { kind: expression.kind, item };
    }
  }
}

const nothing: Expression = { kind: "sequence", items: [] };

/**
 * Whether an expression is the sequence of no items, which matches only the empty text. Others that
 * do so are not recognized.
 */
export function isNothing(expression: Expression): boolean {
  return expression.kind === "sequence" && expression.items.length === 0;
}
