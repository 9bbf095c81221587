import type { ScriptNode } from "./script-nodes.ts";

/**
 * Whether an expression does nothing but give a value, so that it may go or move: names, members,
 * literals, functions, and what is made of them.
 */
export function isPure(node: ScriptNode): boolean {
  const all = (...keys: string[]) => keys.every((key) => isPureField(node[key]));
  switch (node.type) {
    case "Identifier":
    case "ThisExpression":
    case "Literal":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return true;
    case "MemberExpression":
      return all("object", "property");
    case "ChainExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "ParenthesizedExpression":
      return all("expression");
    case "UnaryExpression":
      return node["operator"] !== "delete" && all("argument");
    case "BinaryExpression":
    case "LogicalExpression":
      return all("left", "right");
    case "ConditionalExpression":
      return all("test", "consequent", "alternate");
    case "TemplateLiteral":
      return all("expressions");
    case "ArrayExpression":
      return all("elements");
    case "ObjectExpression":
      return all("properties");
    case "Property":
      return all("key", "value");
    case "SpreadElement":
      return all("argument");
    default:
      return false;
  }
}

function isPureField(field: unknown): boolean {
  if (field === null || field === undefined) return true;
  if (Array.isArray(field)) return field.every(isPureField);
  return isPure(field as ScriptNode);
}
