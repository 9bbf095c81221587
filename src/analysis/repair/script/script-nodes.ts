import type { Program } from "oxc-parser";

/** A node of a script's syntax tree; other fields depend on its type. */
export interface ScriptNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** The nodes around a range of the text, outermost first; the program is always the first. */
export function nodesAround(program: Program, start: number, end: number): ScriptNode[] {
  const path: ScriptNode[] = [];
  for (let node: ScriptNode | undefined = program as unknown as ScriptNode; node !== undefined; ) {
    path.push(node);
    node = childAround(node, start, end);
  }
  return path;
}

function childAround(node: ScriptNode, start: number, end: number): ScriptNode | undefined {
  for (const child of childrenOf(node)) if (child.start <= start && end <= child.end) return child;
  return undefined;
}

/** The nodes right below a node, in the order of its fields. */
export function* childrenOf(node: ScriptNode): Generator<ScriptNode> {
  for (const key in node) {
    if (key === "parent") continue;
    const value = node[key];
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) yield one;
    } else if (isNode(value)) yield value;
  }
}

function isNode(value: unknown): value is ScriptNode {
  return typeof value === "object" && value !== null && typeof (value as ScriptNode).type === "string";
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

/** The names that a pattern or a parameter binds, in text order. */
export function boundNames(pattern: ScriptNode): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern["name"] as string];
    case "TSParameterProperty":
      return boundNames(pattern["parameter"] as ScriptNode);
    case "AssignmentPattern":
      return boundNames(pattern["left"] as ScriptNode);
    case "RestElement":
      return boundNames(pattern["argument"] as ScriptNode);
    case "ObjectPattern":
      return (pattern["properties"] as readonly ScriptNode[]).flatMap((one) =>
        boundNames((one["value"] ?? one["argument"]) as ScriptNode),
      );
    case "ArrayPattern":
      return (pattern["elements"] as readonly (ScriptNode | null)[]).flatMap((one) =>
        one === null ? [] : boundNames(one),
      );
    default:
      return [];
  }
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
