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
