import type { TreeCursor, Node as WasmNode } from "web-tree-sitter";
import { runSteps, type Steps } from "../async/index.ts";
import type { BlockRow, BlockTable, BlockWhat } from "../languages/index.ts";
import { InvariantError, type TextRange } from "../text/index.ts";
import type { Block, BlockKind } from "./block.ts";
import { follow } from "./node-path.ts";
import { rootOf, type SyntaxTree } from "./tree.ts";

/**
 * The declarations, members and statements of a parsed text, nested as in the text; offsets are in
 * UTF-16 code units. Throws as {@link rootOf} does.
 *
 * A broken text has the blocks that the parser recovered. Law: children lie within their parents,
 * in order and without overlap.
 */
export function blocksOf(tree: SyntaxTree): Block[] {
  return runSteps(blocksInSlices(tree));
}

/** The number of nodes after which {@link blocksInSlices} yields, some 20 milliseconds of work. */
const nodesAtATime = 5_000;

/**
 * As {@link blocksOf}, in slices of 5,000 nodes. The caller keeps the tree open. Throws at the
 * first step, as {@link rootOf} does.
 */
export function* blocksInSlices(tree: SyntaxTree): Steps<Block[]> {
  const { blocks } = tree.language;
  if (blocks === undefined) throw new InvariantError(`A tree of ${tree.language.name} without a grammar.`);
  return yield* new BlockWalk(blocks, tree.text).walk(rootOf(tree));
}

/** A block whose children are still being collected, with its node. */
interface OpenBlock {
  readonly block: Omit<Block, "children"> & { readonly children: Block[] };
  /** The depth of its node in the tree. */
  readonly depth: number;
  /** Ids of nodes that are part of this block and no blocks of their own. */
  readonly inner: ReadonlySet<number>;
}

/** A comment or an attribute in front of a node; offsets in UTF-16 code units. */
interface LeadingSibling {
  /**
   * The start of the comments and attributes on the lines up to this one; `undefined` after code.
   */
  readonly start: number | undefined;
  readonly end: number;
}

class BlockWalk {
  readonly #table: BlockTable;
  readonly #text: string;
  readonly #roots: Block[] = [];
  readonly #open: OpenBlock[] = [];
  /** The types of the nodes from the root to the current one. */
  readonly #types: string[] = [];
  /**
   * By depth, the sibling before the current node where it is a comment or an attribute.
   *
   * Siblings are tracked here, since tree-sitter's `previousSibling` descends from the root: in a
   * tree as deep as the text is long, the walk would take quadratic time.
   */
  readonly #leading: (LeadingSibling | undefined)[] = [];

  constructor(table: BlockTable, text: string) {
    this.#table = table;
    this.#text = text;
  }

  *walk(root: WasmNode): Steps<Block[]> {
    const cursor = root.walk();
    try {
      yield* this.#descend(cursor);
    } finally {
      cursor.delete();
    }
    return this.#roots;
  }

  // A loop instead of a recursion: generated code nests deeper than the call stack.
  *#descend(cursor: TreeCursor): Steps<void> {
    for (let count = 1; ; count++) {
      if (count % nodesAtATime === 0) yield;
      if (cursor.nodeIsNamed) this.#enter(cursor);
      this.#leading[this.#types.length] = this.#leadingSibling(cursor);
      this.#types.push(cursor.nodeType);
      this.#leading[this.#types.length] = undefined;
      if (cursor.gotoFirstChild()) continue;
      this.#leave();
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return;
        this.#leave();
      }
    }
  }

  #leave(): void {
    this.#types.pop();
    while ((this.#open.at(-1)?.depth ?? -1) >= this.#types.length) this.#open.pop();
  }

  #enter(cursor: TreeCursor): void {
    const row = this.#rowAt(cursor);
    if (row === undefined) return;
    const node = cursor.currentNode;
    const parent = this.#open.at(-1);
    if (parent?.inner.has(node.id)) return;
    if (row.when !== undefined && !row.when.some((path) => follow(node, path) !== undefined)) return;

    const inner = wrapped(node, row);
    const innerRow = inner && this.#rowOf(inner.type);
    const { what, name, body } = this.#describe(node, row, inner, innerRow);
    const settled = this.#settle(what, name && this.#textOf(name), parent?.block);
    if (settled === undefined) return;
    const range = this.#trimmed(node);
    const block = {
      ...settled,
      ...(name && { name: unquoted(this.#textOf(name)), nameRange: name }),
      range,
      fullRange: { start: this.#leadingStart(range.start), end: range.end },
      ...(body && { body }),
      children: [],
    };
    (parent?.block.children ?? this.#roots).push(block);
    this.#open.push({ block, depth: this.#types.length, inner: new Set(inner && innerRow ? [inner.id] : []) });
  }

  #rowAt(cursor: TreeCursor): BlockRow | undefined {
    const parentType = this.#types.at(-1) ?? "";
    const type = cursor.nodeType;
    const anywhere = this.#table.anywhere[type];
    if (anywhere !== undefined) {
      const row = toRow(anywhere);
      return row.in === undefined || row.in.includes(parentType) ? row : undefined;
    }
    if (this.#table.statementsIn?.includes(parentType) !== true) return undefined;
    // A node in a field of its own, such as a condition, is no statement of a list.
    if (!/^(|body|consequence|alternative|termination)$/.test(cursor.currentFieldName ?? "")) return undefined;
    const statement = this.#table.statements?.[type];
    if (statement !== undefined) return toRow(statement);
    const { fallback } = this.#table;
    return fallback === undefined || this.#isExtra(type) ? undefined : { what: fallback, name: [], body: [] };
  }

  #isExtra(type: string): boolean {
    return type === "ERROR" || this.#isLeading(type) || structural.has(type);
  }

  /** Whether such a node belongs to the block after it. */
  #isLeading(type: string): boolean {
    return isComment(type) || this.#table.leading?.includes(type) === true;
  }

  #rowOf(type: string): BlockRow | undefined {
    const row = this.#table.anywhere[type] ?? this.#table.statements?.[type];
    return row && toRow(row);
  }

  #describe(
    node: WasmNode,
    row: BlockRow,
    inner: WasmNode | undefined,
    innerRow: BlockRow | undefined,
  ): { what: BlockWhat; name: TextRange | undefined; body: TextRange | undefined } {
    const call = row.calls && callOf(node, row.calls);
    if (row.calls && call) {
      const { name, body } = this.#parts(node, row.calls);
      return { what: call, name: statements.has(call) ? undefined : name, body };
    }
    const own = this.#parts(node, row);
    if (inner === undefined || innerRow === undefined) return { what: whatOf(node, row), ...own };
    const within = this.#describe(inner, innerRow, wrapped(inner, innerRow), undefined);
    return { what: within.what, name: own.name ?? within.name, body: own.body ?? within.body };
  }

  #parts(
    node: WasmNode,
    row: Pick<BlockRow, "name" | "body" | "between">,
  ): { name: TextRange | undefined; body: TextRange | undefined } {
    const bodyNode = first(node, row.body ?? ["body"]);
    const body = bodyNode ? this.#trimmed(bodyNode) : row.between && between(node, row.between);
    if (row.name?.[0] === "^") return { name: this.#header(node, body), body };
    const nameNode = first(node, row.name ?? ["name"]);
    return { name: nameNode && rangeOf(nameNode), body };
  }

  #header(node: WasmNode, body: TextRange | undefined): TextRange {
    const text = this.#text.slice(node.startIndex, body?.start ?? node.endIndex).replace(/(?<![\s;])[\s;]+$/, "");
    return { start: node.startIndex, end: node.startIndex + text.length };
  }

  /** The kind of a block in its parent; `undefined` for a field of something that has no fields. */
  #settle(
    what: BlockWhat,
    name: string | undefined,
    parent: Block | undefined,
  ): { kind: BlockKind; what: BlockWhat } | undefined {
    const inType = parent !== undefined && typeLike.has(parent.what);
    if (what === "field") return inType ? { kind: "member", what } : undefined;
    if (what === "case") return { kind: parent?.what === "enum" ? "member" : "statement", what };
    if (what === "variable") {
      if (inType) return { kind: "member", what: "field" };
      const top = parent === undefined || parent.what === "namespace" || parent.what === "variable";
      return { kind: top ? "declaration" : "statement", what };
    }
    if (inType && (what === "function" || what === "method")) {
      const constructs = name !== undefined && (this.#table.constructors?.includes(name) || name === parent.name);
      return { kind: "member", what: constructs ? "constructor" : "method" };
    }
    return { kind: kinds[what] ?? "statement", what };
  }

  /** The start of the comments and attributes on the lines directly above the current node. */
  #leadingStart(start: number): number {
    const before = this.#leading[this.#types.length];
    return before?.start !== undefined && this.#isRightAbove(before.end, start) ? before.start : start;
  }

  #leadingSibling(cursor: TreeCursor): LeadingSibling | undefined {
    const type = cursor.nodeType;
    if (!this.#isLeading(type)) return undefined;
    const { startIndex: start, endIndex: end } = cursor;
    return { start: this.#startsLine(start) ? this.#leadingStart(start) : undefined, end };
  }

  /** Whether no blank line lies between the end of a comment or an attribute and an offset. */
  #isRightAbove(end: number, offset: number): boolean {
    const feeds = this.#text.slice(end, offset).split("\n").length - 1;
    // Some grammars end a line comment after its line feed.
    return feeds + (this.#text[end - 1] === "\n" ? 1 : 0) <= 1;
  }

  #startsLine(offset: number): boolean {
    const lineStart = this.#text.lastIndexOf("\n", offset - 1) + 1;
    return /^\s*$/.test(this.#text.slice(lineStart, offset));
  }

  /** Some grammars end a node after the end of the line, or at the start of the next node. */
  #trimmed(node: WasmNode): TextRange {
    let end = node.endIndex;
    while (end > node.startIndex && /\s/.test(this.#text[end - 1]!)) end--;
    return { start: node.startIndex, end };
  }

  #textOf(range: TextRange): string {
    return this.#text.slice(range.start, range.end);
  }
}

const typeLike: ReadonlySet<BlockWhat> = new Set(["class", "interface", "implementation", "enum", "type", "rule"]);

/** Kinds of calls that have no name: in `exit 1`, 1 is none. */
const statements: ReadonlySet<BlockWhat> = new Set(["return", "jump", "throw"]);

/** Kinds that are a declaration or a member in any parent; the others are statements. */
const kinds: Partial<Record<BlockWhat, BlockKind>> = {
  function: "declaration",
  class: "declaration",
  interface: "declaration",
  implementation: "declaration",
  enum: "declaration",
  type: "declaration",
  namespace: "declaration",
  import: "declaration",
  export: "declaration",
  macro: "declaration",
  test: "declaration",
  element: "declaration",
  rule: "declaration",
  method: "member",
  constructor: "member",
  property: "member",
};

/** Clauses that contain statements and are no blocks themselves. */
const structural: ReadonlySet<string> = new Set([
  "elif_clause",
  "else_clause",
  "do_group",
  "else",
  "elsif",
  "rescue",
  "ensure",
  "then",
  "superclass",
  "heredoc_body",
  "word",
]);

function toRow(row: BlockWhat | BlockRow): BlockRow {
  return typeof row === "string" ? { what: row } : row;
}

function first(node: WasmNode, paths: readonly string[]): WasmNode | undefined {
  for (const path of paths) {
    const found = follow(node, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The node that `row` is wrapped around; none if it has siblings of its type. */
function wrapped(node: WasmNode, row: BlockRow): WasmNode | undefined {
  const inner = row.wraps && first(node, row.wraps);
  if (!inner) return undefined;
  const brothers = node.namedChildren.filter((child) => child.type === inner.type);
  return brothers.length > 1 ? undefined : inner;
}

function whatOf(node: WasmNode, row: BlockRow): BlockWhat {
  return row.whatIf?.find(([path]) => follow(node, path) !== undefined)?.[1] ?? row.what;
}

/** The kind of a call by the name of its function; `describe.each(…)` counts as `describe`. */
function callOf(node: WasmNode, calls: NonNullable<BlockRow["calls"]>): BlockWhat | undefined {
  const callee = first(node, calls.callee)?.text;
  if (callee === undefined) return undefined;
  const name = /^(\.|\w+)/.exec(callee)?.[0] ?? "";
  return Object.hasOwn(calls.names, name) ? calls.names[name] : undefined;
}

function between(node: WasmNode, [open, close]: readonly [string, string]): TextRange | undefined {
  const start = follow(node, open);
  const end = follow(node, close);
  return start && end && { start: start.endIndex, end: end.startIndex };
}

function rangeOf(node: WasmNode): TextRange {
  return { start: node.startIndex, end: node.endIndex };
}

function isComment(type: string): boolean {
  return type === "comment" || type === "line_comment" || type === "block_comment";
}

function unquoted(name: string): string {
  return /^(["'`])((?:(?!\1).)*)\1$|^<([^<>]*)>$/s.exec(name)?.slice(2).find(Boolean) ?? name;
}
