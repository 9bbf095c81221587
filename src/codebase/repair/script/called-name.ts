import type { ScriptNode } from "./script-nodes.ts";

/**
 * The name that a call at the end of a path of nodes calls: of `super(…)` that of the class that
 * its own extends; `undefined` where none is said.
 */
export function calledName(call: ScriptNode, path: readonly ScriptNode[]): string | undefined {
  const callee = call["callee"] as ScriptNode;
  if (callee.type !== "Super") return saidName(callee);
  const around = path.slice(0, path.indexOf(call)).findLast(isClass);
  return around && baseName(around);
}

/** Whether a node is a class, with or without a name. */
export function isClass({ type }: ScriptNode): boolean {
  return type === "ClassDeclaration" || type === "ClassExpression";
}

/** The name of what a class extends; `undefined` where that is nothing, or has none. */
export function baseName(node: ScriptNode): string | undefined {
  const base = node["superClass"] as ScriptNode | null | undefined;
  return base ? saidName(base) : undefined;
}

function saidName(node: ScriptNode): string | undefined {
  if (node.type === "Identifier") return node["name"] as string;
  return node.type === "MemberExpression"
    ? ((node["property"] as ScriptNode)["name"] as string | undefined)
    : undefined;
}
