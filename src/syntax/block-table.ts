import type { Node as WasmNode } from "web-tree-sitter";
import type { BlockWhat } from "./block.ts";

/**
 * The way from a node to one below it, as steps divided by blanks: `name` goes to the child in that
 * field, `:type` to the first child of that type, `field:type` to the child in that field if it has
 * that type, `field*` down that field as often as it goes, `field*:type` down that field to the
 * first node of that type, `*` to the first named child. `.` stays.
 */
export type NodePath = string;

/** How one type of node becomes a block. */
export interface BlockRow {
  readonly what: BlockWhat;
  /**
   * Paths to its name; the first that leads to a node counts. Default: `name`; `^` is all text
   * before the body.
   */
  readonly name?: readonly NodePath[];
  /** Paths to its body. Default: `body`. */
  readonly body?: readonly NodePath[];
  /** The nodes right before and right after its body, where the body is no node itself. */
  readonly between?: readonly [NodePath, NodePath];
  /** It is something else if one of these paths leads anywhere. */
  readonly whatIf?: readonly (readonly [NodePath, BlockWhat])[];
  /** It is no block unless one of these paths leads anywhere. */
  readonly when?: readonly NodePath[];
  /** Only below a node of one of these types. */
  readonly in?: readonly string[];
  /**
   * It is wrapped around this node, if there is just one of its type, and takes from it what it
   * does not have itself.
   */
  readonly wraps?: readonly NodePath[];
  /** It is a call, which may be more by the name of what it calls. */
  readonly calls?: CallTable;
}

/** Calls that say what they are by the function they call. */
export interface CallTable {
  readonly callee: readonly NodePath[];
  readonly names: Readonly<Record<string, BlockWhat>>;
  readonly name: readonly NodePath[];
  readonly body: readonly NodePath[];
}

/** How a grammar's nodes become blocks: data, one row for each type of node. */
export interface BlockTable {
  /** Nodes that are blocks in any parent. A word alone is a row with that `what`. */
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

/** The node that `path` leads to from `node`, or `undefined` where it leads nowhere. */
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
 * Down a field as often as it goes, as C's declarators do: `*names[3]` is a pointer to an array of
 * `names`. References and parentheses have no such field; their only child continues the path.
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
