import type { Node as WasmNode } from "web-tree-sitter";
import type { BlockWhat } from "./block.ts";

/**
 * A path from a node to one below it, as steps separated by spaces: `name` is the child in that
 * field, `:type` the first child of that type, `field:type` the child in that field if it has that
 * type, `field*` follows that field as often as possible, `field*:type` follows that field to the
 * first node of that type, `*` is the first named child. `.` is the node itself.
 */
export type NodePath = string;

/** How one type of node becomes a block. */
export interface BlockRow {
  readonly what: BlockWhat;
  /**
   * Paths to its name; the first that matches counts. Default: `name`; `^` is all text before the
   * body.
   */
  readonly name?: readonly NodePath[];
  /** Paths to its body. Default: `body`. */
  readonly body?: readonly NodePath[];
  /** The nodes right before and right after its body, where the body is no node itself. */
  readonly between?: readonly [NodePath, NodePath];
  /** Another kind applies if its path matches. */
  readonly whatIf?: readonly (readonly [NodePath, BlockWhat])[];
  /** The node is no block unless one of these paths matches. */
  readonly when?: readonly NodePath[];
  /** Only below a node of one of these types. */
  readonly in?: readonly string[];
  /**
   * Paths to the wrapped node, if it is the only one of its type. The block takes name and body
   * from it where it has none of its own.
   */
  readonly wraps?: readonly NodePath[];
  /** For a call: the kind depends on the name of the called function. */
  readonly calls?: CallTable;
}

/** Kinds of calls by the name of the called function. */
export interface CallTable {
  readonly callee: readonly NodePath[];
  readonly names: Readonly<Record<string, BlockWhat>>;
  readonly name: readonly NodePath[];
  readonly body: readonly NodePath[];
}

/** How a grammar's nodes become blocks: data, one row for each type of node. */
export interface BlockTable {
  /** Nodes that are blocks in any parent. A string is a row with that `what`. */
  readonly anywhere: Readonly<Record<string, BlockWhat | BlockRow>>;
  /** Nodes that are blocks only as statements: right below one of `statementsIn`, or wrapped. */
  readonly statements: Readonly<Record<string, BlockWhat | BlockRow>>;
  readonly statementsIn: readonly string[];
  /** The kind of any other node in the place of a statement; by default it is no block. */
  readonly fallback?: BlockWhat;
  /** Nodes that belong to the block after them. */
  readonly leading: readonly string[];
  /** Names of functions that are constructors inside a class; there its own name counts too. */
  readonly constructors: readonly string[];
}

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
