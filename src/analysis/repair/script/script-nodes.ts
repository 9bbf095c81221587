import type { ScriptNode } from "../../../names/index.ts";

/** A node with the text that it was parsed from. */
export interface NodeInText {
  readonly node: ScriptNode;
  readonly text: string;
}

/** The text of a node. */
export function textAt({ node, text }: NodeInText): string {
  return text.slice(node.start, node.end);
}

/**
 * The outermost function on a path: the one that other blocks call; `undefined` where there is
 * none.
 */
export function outerFunction(path: readonly ScriptNode[]): ScriptNode | undefined {
  return path.find(({ type }) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type));
}

/**
 * The arguments of a call within a range; with the range of a diagnostic about surplus arguments,
 * those.
 */
export function argumentsIn(
  call: ScriptNode,
  { start, end }: { readonly start: number; readonly end: number },
): readonly ScriptNode[] {
  const given = (call["arguments"] ?? []) as readonly ScriptNode[];
  return given.filter((one) => start <= one.start && one.end <= end);
}

/**
 * The name of the called function; of `super(…)`, of the class that the enclosing class extends;
 * `undefined` where there is none. `path` has the nodes around a place, outermost first, and the
 * call among them.
 */
export function calledName(call: ScriptNode, path: readonly ScriptNode[]): string | undefined {
  const callee = call["callee"] as ScriptNode;
  if (callee.type !== "Super") return nameOf(callee);
  const around = path.slice(0, path.indexOf(call)).findLast(isClass);
  return around && baseName(around);
}

/** Whether a node is a class declaration or expression. */
export function isClass({ type }: ScriptNode): boolean {
  return type === "ClassDeclaration" || type === "ClassExpression";
}

/**
 * The name of the class that a class extends; `undefined` where there is none, or it is no name.
 */
export function baseName(node: ScriptNode): string | undefined {
  const base = node["superClass"] as ScriptNode | null | undefined;
  return base ? nameOf(base) : undefined;
}

function nameOf(node: ScriptNode): string | undefined {
  if (node.type === "Identifier") return node["name"] as string;
  return node.type === "MemberExpression"
    ? ((node["property"] as ScriptNode)["name"] as string | undefined)
    : undefined;
}

/**
 * Whether an expression has no side effects, so that it may be removed or moved: names, members,
 * literals, functions, and combinations of them.
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
