import type { Comment, Program } from "oxc-parser";
import { type ScriptGoal, type ScriptKind, scriptSourceOf } from "../syntax/index.ts";

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

/** Whether a value of a tree is a node. */
export function isNode(value: unknown): value is ScriptNode {
  return typeof value === "object" && value !== null && typeof (value as ScriptNode).type === "string";
}

/**
 * A parsed script: its ESTree with TypeScript nodes, and its comments. Offsets are in UTF-16 units.
 */
export interface ScriptTree {
  readonly program: Program;
  readonly comments: readonly Pick<Comment, "start" | "end">[];
}

/**
 * A parser for JavaScript and TypeScript. Never throws; returns `undefined` if the text can't be
 * parsed at all.
 */
export type ScriptTreeParser = (text: string, goal: ScriptGoal) => ScriptTree | undefined;

/**
 * Parses a script by its file name, and by its text if the name is ambiguous; `undefined` if it
 * can't be parsed.
 *
 * `text` must not begin with a byte order mark, which would hide a `#!` line.
 */
export function tryScriptTree(
  parse: ScriptTreeParser,
  { path, text, kind }: { readonly path: string; readonly text: string; readonly kind: ScriptKind },
): ScriptTree | undefined {
  const named = scriptSourceOf(path);
  const tree = parse(text, { kind, source: named ?? "unambiguous" });
  return tree ?? (named === undefined ? parse(text, { kind, source: "commonjs" }) : undefined);
}
