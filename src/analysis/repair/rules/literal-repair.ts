import { nodesAround, type ScriptNode } from "../../../names/index.ts";
import { isIdentifier, type TextEdit } from "../../../text/index.ts";
import type { RepairRule } from "../repair.ts";

/**
 * TypeScript's errors about a string that is not assignable: as a value, a key, in a comparison or
 * in a `case`.
 */
const notAssignable: ReadonlySet<string> = new Set(["2322", "2345", "2353", "2367", "2678", "2769", "2820"]);

/**
 * Replaces a string literal, or a key, that was renamed in a type, where TypeScript does not accept
 * it. No repair where the new string would need an escape.
 */
export const renamedLiteral: RepairRule = ({ diagnostic, text, tree, facts }) => {
  const renamed = facts.literals?.renamed;
  if (!notAssignable.has(diagnostic.code) || renamed === undefined || renamed.size === 0) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const literal = literalAt(path);
  if (literal === undefined) return [];
  const to = renamed.get(String(literal["name"] ?? literal["value"]));
  if (to === undefined) return [];
  if (literal.type === "Literal") {
    const written = text.slice(literal.start + 1, literal.end - 1);
    if (written !== literal["value"] || /["'`\\&\n]/.test(to)) return [];
    return [{ certainty: "follows", edits: [{ start: literal.start + 1, end: literal.end - 1, text: to }] }];
  }
  const key = isIdentifier(to) ? to : JSON.stringify(to);
  return [{ certainty: "follows", edits: [{ start: literal.start, end: literal.end, text: key }] }];
};

/**
 * The string literal that a diagnostic is about: at its place, a key, a side of a comparison, or
 * the value assigned at its place.
 */
function literalAt(path: readonly ScriptNode[]): ScriptNode | undefined {
  const [parent, node] = [path.at(-2), path.at(-1)!];
  if (isString(node)) return node;
  if (node.type === "BinaryExpression")
    return [node["left"], node["right"]].map((side) => side as ScriptNode).find(isString);
  const value = givenValue(node, parent);
  if (isString(value)) return value ?? undefined;
  const isKey = parent?.type === "Property" && parent["key"] === node && parent["computed"] !== true;
  return isKey && parent["shorthand"] !== true ? node : undefined;
}

/**
 * The value that is assigned to the variable, property, attribute or parameter at a diagnostic, or
 * the returned value.
 */
function givenValue(node: ScriptNode, parent: ScriptNode | undefined): ScriptNode | null | undefined {
  if (node.type === "ReturnStatement") return node["argument"] as ScriptNode | null;
  switch (parent?.type) {
    case "VariableDeclarator":
      return parent["id"] === node ? (parent["init"] as ScriptNode | null) : undefined;
    case "AssignmentExpression":
    case "AssignmentPattern":
      return parent["left"] === node ? (parent["right"] as ScriptNode) : undefined;
    case "JSXAttribute":
      return parent["value"] as ScriptNode | null;
    case "Property":
    case "PropertyDefinition":
      return parent["key"] === node ? (parent["value"] as ScriptNode | null) : undefined;
    default:
      return undefined;
  }
}

function isString(node: ScriptNode | null | undefined): boolean {
  return node?.type === "Literal" && typeof node["value"] === "string";
}

/**
 * Removes a comparison with a string that no type lists any more, where it is an operand of `||` or
 * `&&`: `a === "gone"` in `x || a === "gone"`, which is always false, and `a !== "gone"` in `x && a
 * !== "gone"`, which is always true. No repair elsewhere, or where a comment would be removed.
 */
export const deadComparison: RepairRule = ({ diagnostic, text, tree, facts }) => {
  if (diagnostic.code !== "2367") return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const depth = path.findLastIndex(({ type }) => type === "BinaryExpression");
  const comparison = path[depth];
  const literal = comparison && literalAt([comparison]);
  if (literal === undefined || facts.literals?.removed.has(String(literal["value"])) !== true) return [];
  const joined = { "===": "||", "==": "||", "!==": "&&", "!=": "&&" }[String(comparison!["operator"])];
  const inner = path[depth - 1]?.type === "ParenthesizedExpression" ? path[depth - 1]! : comparison!;
  const chain = path[path.indexOf(inner) - 1];
  if (chain?.type !== "LogicalExpression" || chain["operator"] !== joined) return [];
  const isLeft = chain["left"] === inner;
  const other = (isLeft ? chain["right"] : chain["left"]) as ScriptNode;
  const edit: TextEdit = isLeft
    ? { start: inner.start, end: other.start, text: "" }
    : { start: other.end, end: inner.end, text: "" };
  // Between the operands are the operator and whitespace, or a comment, which must not be removed.
  const between = isLeft ? text.slice(inner.end, other.start) : text.slice(other.end, inner.start);
  return between.trim() === joined ? [{ certainty: "follows", edits: [edit] }] : [];
};
