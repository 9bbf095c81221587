import type { TextEdit } from "../../../text/text-edit.ts";
import type { RepairRule } from "../repair.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";

/**
 * TypeScript's complaints that a string fits nowhere: as a value, as a key, in a comparison, in a
 * `case`.
 */
const unfit: ReadonlySet<string> = new Set(["2322", "2345", "2353", "2367", "2678", "2769", "2820"]);

/** Says the new string where a type lists one in the place of the old. */
export const renamedLiteral: RepairRule = ({ finding, text, tree, facts }) => {
  const renamed = facts.literals?.renamed;
  if (!unfit.has(finding.code) || renamed === undefined || renamed.size === 0) return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const literal = literalAt(path);
  if (literal === undefined) return [];
  const to = renamed.get(String(literal["name"] ?? literal["value"]));
  if (to === undefined) return [];
  if (literal.type === "Literal") {
    const said = text.slice(literal.start + 1, literal.end - 1);
    if (said !== literal["value"] || /["'`\\&\n]/.test(to)) return [];
    return [{ certainty: "follows", edits: [{ start: literal.start + 1, end: literal.end - 1, text: to }] }];
  }
  const key = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(to) ? to : JSON.stringify(to);
  return [{ certainty: "follows", edits: [{ start: literal.start, end: literal.end, text: key }] }];
};

/**
 * The string that a finding is about: what it names itself, a key, the one side of a comparison, or
 * the value of what it names.
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
 * What is given to what a finding names: a variable, a property, an attribute, a parameter; or what
 * is returned.
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
 * Takes out a comparison with a string that no type lists any more, where it is one of several that
 * are joined: `a === "gone"` in `x || a === "gone"`, which never holds, and `a !== "gone"` in
 * `x && a !== "gone"`, which always does.
 */
export const deadComparison: RepairRule = ({ finding, text, tree, facts }) => {
  if (finding.code !== "2367") return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
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
  // The text between them is an operator and blanks, or else a remark that is not ours to take.
  const between = isLeft ? text.slice(inner.end, other.start) : text.slice(other.end, inner.start);
  return between.trim() === joined ? [{ certainty: "follows", edits: [edit] }] : [];
};
