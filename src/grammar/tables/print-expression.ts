import type { Expression } from "./grammar-source.ts";

/**
 * An expression in the notation, such as `"(" (Value % ",")? ")"`, without parentheses around it.
 */
export function printExpression(expression: Expression): string {
  return print(expression, Tightness.choice);
}

/** How tightly the parts of an expression hold together, from loose to tight. */
const Tightness = { choice: 0, sequence: 1, list: 2, postfix: 3 } as const;

function print(expression: Expression, around: number): string {
  switch (expression.kind) {
    case "symbol":
      return expression.name;
    case "literal":
      return printText(expression.text);
    case "choice":
      if (expression.items.length === 1) return print(expression.items[0]!, around);
      return group(
        expression.items.map((item) => print(item, Tightness.sequence)).join(" | "),
        around > Tightness.choice,
      );
    case "sequence":
      if (expression.items.length === 0) return "()";
      if (expression.items.length === 1) return print(expression.items[0]!, around);
      return group(expression.items.map((item) => print(item, Tightness.list)).join(" "), around > Tightness.sequence);
    case "list": {
      const item = print(expression.item, Tightness.postfix);
      return group(`${item} % ${print(expression.separator, Tightness.postfix)}`, around > Tightness.list);
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
 * `text` in quotes, with the escapes that the notation knows; what cannot be seen goes by its
 * number.
 */
function printText(text: string): string {
  const printed = text.replace(
    /["\\]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => escapes.get(character) ?? `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
  return `"${printed}"`;
}

function group(text: string, needed: boolean): string {
  return needed ? `(${text})` : text;
}
