import type { TreeCursor } from "web-tree-sitter";
import { runSteps, type Steps } from "../async/index.ts";
import type { TextRange } from "../text/index.ts";
import { rootOf, type SyntaxTree } from "./tree.ts";

/**
 * A named node of a parse tree as plain data: its type, its field in the parent, and its children.
 */
export interface PlainNode extends TextRange {
  readonly type: string;
  /** The grammar's name for its role in the parent, such as `name` or `body`. */
  readonly field?: string;
  readonly children: readonly PlainNode[];
}

/**
 * Deeper nodes are left out, so that readers of the tree may recurse: generated code nests deeper
 * than the call stack.
 */
const maxDepth = 400;

/**
 * The root of a tree with its named nodes, which outlives the tree. Offsets are in UTF-16 code
 * units. Throws as {@link rootOf} does.
 */
export function plainTree(tree: SyntaxTree): PlainNode {
  return runSteps(plainTreeInSlices(tree));
}

/**
 * The number of nodes after which {@link plainTreeInSlices} yields, some 10 milliseconds of work.
 */
const nodesAtATime = 5_000;

/**
 * As {@link plainTree}, in slices of 5,000 nodes. The caller keeps the tree open. Throws at the
 * first step, as {@link rootOf} does.
 */
export function* plainTreeInSlices(tree: SyntaxTree): Steps<PlainNode> {
  const cursor = rootOf(tree).walk();
  try {
    return yield* descend(cursor);
  } finally {
    cursor.delete();
  }
}

type OpenNode = Omit<PlainNode, "children"> & { readonly children: PlainNode[] };

function* descend(cursor: TreeCursor): Steps<PlainNode> {
  const root = nodeAt(cursor);
  const open: OpenNode[] = [root];
  if (!cursor.gotoFirstChild()) return root;
  for (let count = 1; ; count++) {
    if (count % nodesAtATime === 0) yield;
    const isNamed = cursor.nodeIsNamed;
    if (isNamed) {
      const node = nodeAt(cursor);
      open.at(-1)!.children.push(node);
      if (open.length < maxDepth && cursor.gotoFirstChild()) {
        open.push(node);
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      cursor.gotoParent();
      open.pop();
      if (open.length === 0) return root;
    }
  }
}

function nodeAt(cursor: TreeCursor): OpenNode {
  const field = cursor.currentFieldName;
  return {
    type: cursor.nodeType,
    ...(field && { field }),
    start: cursor.startIndex,
    end: cursor.endIndex,
    children: [],
  };
}

/** The first named child in a field of a node; `undefined` where there is none. */
export function childIn(node: PlainNode, field: string): PlainNode | undefined {
  return node.children.find((child) => child.field === field);
}

/**
 * The first child of one of these types, in the order of the text; `undefined` where there is none.
 */
export function childOf(node: PlainNode, ...types: readonly string[]): PlainNode | undefined {
  return node.children.find(({ type }) => types.includes(type));
}
