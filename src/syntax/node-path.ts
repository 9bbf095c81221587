import type { Node as WasmNode } from "web-tree-sitter";
import type { NodePath } from "../languages/index.ts";

/** The node that `path` leads to from `node`; `undefined` where one of its steps has no match. */
export function follow(node: WasmNode, path: NodePath): WasmNode | undefined {
  let at: WasmNode | undefined = node;
  for (const step of path.split(" ")) {
    if (at === undefined) return undefined;
    at = take(at, step);
  }
  return at;
}

function take(node: WasmNode, step: string): WasmNode | undefined {
  if (step === ".") return node;
  if (step === "*") return node.firstNamedChild ?? undefined;
  const colon = step.indexOf(":");
  const type = colon < 0 ? undefined : step.slice(colon + 1);
  const field = colon < 0 ? step : step.slice(0, colon);
  if (field === "") return node.namedChildren.find((child) => child.type === type);
  return field.endsWith("*") ? down(node, field.slice(0, -1), type) : toField(node, field, type);
}

function toField(node: WasmNode, field: string, type: string | undefined): WasmNode | undefined {
  const child = node.childForFieldName(field);
  return child !== null && (type === undefined || child.type === type) ? child : undefined;
}

/**
 * Follows a field as often as possible, as for C's declarators: `*names[3]` is a pointer to an
 * array of `names`. References and parentheses have no such field; their only child continues the
 * path.
 */
function down(node: WasmNode, field: string, type: string | undefined): WasmNode | undefined {
  let at = node.childForFieldName(field);
  while (at !== null && at.type !== type) {
    const next: WasmNode | null =
      at.childForFieldName(field) ?? (at.type.endsWith("_declarator") ? at.firstNamedChild : null);
    if (next === null) return type === undefined ? at : undefined;
    at = next;
  }
  return at ?? undefined;
}
