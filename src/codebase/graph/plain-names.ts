import type { PlainNode } from "../../syntax/plain-tree.ts";
import type { CodeBlock } from "./code-block.ts";
import { type NameFacts, unknown } from "./name-facts.ts";
import { FactsDraft } from "./name-scope.ts";

/** Input for a file whose language has blocks but no reader of names. */
export interface PlainSource {
  readonly path: string;
  readonly language: string;
  readonly text: string;
  readonly root: PlainNode;
  readonly blocks: readonly CodeBlock[];
}

/**
 * Reads a file of any language by name alone: blocks are declarations, and every other identifier
 * is a mention, of an unknown object if a member operator such as a dot precedes it. Local names
 * aren't told apart from others, so short and common names get too many references.
 */
export function plainNames({ path, language, text, root, blocks }: PlainSource): NameFacts {
  const draft = new FactsDraft();
  const indexes = new Map<string, number>();
  const starts = new Set<number>();
  for (const { kind, name, simpleName, nameRange, owner, parts } of blocks) {
    if (nameRange === undefined || simpleName === "") continue;
    starts.add(nameRange.start);
    const isType = /^(class|interface|enum|type)$/.test(kind);
    const at = owner === undefined ? undefined : indexes.get(owner);
    const index = draft.declare({
      kind: isType ? "class" : memberKind(kind, at),
      name: kind === "constructor" ? ".ctor" : simpleName,
      start: nameRange.start,
      ...(at !== undefined && { owner: at }),
      ...(parts !== undefined && { parameters: parts.map((part) => part.name) }),
    });
    if (isType) indexes.set(name, index);
  }
  const within = [...blocks].filter(({ name }) => indexes.has(name));
  for (const leaf of leavesOf(root)) {
    if (!/identifier$|^(name|constant)$/.test(leaf.type) || starts.has(leaf.start)) continue;
    const isMember = /(\.|->|::)\s*$/.test(text.slice(Math.max(0, leaf.start - 4), leaf.start));
    const isCall = /^\s*[(!]/.test(text.slice(leaf.end, leaf.end + 4));
    const around = within.findLast(({ range }) => range.start <= leaf.start && leaf.end <= range.end);
    const place = around === undefined ? {} : { within: indexes.get(around.name)! };
    const role = isCall ? "call" : leaf.type === "type_identifier" ? "type" : "value";
    const parts = { start: leaf.start, name: text.slice(leaf.start, leaf.end), role } as const;
    draft.mention(place, parts, isMember ? { of: unknown } : {});
  }
  return draft.facts(path, language);
}

function memberKind(
  kind: CodeBlock["kind"],
  owner: number | undefined,
): "method" | "constructor" | "field" | "function" | "variable" {
  if (kind === "constructor") return "constructor";
  const isCode = kind === "function" || kind === "method";
  if (owner !== undefined) return isCode ? "method" : "field";
  return isCode ? "function" : "variable";
}

function* leavesOf(node: PlainNode): Generator<PlainNode> {
  if (node.children.length === 0) yield node;
  else for (const child of node.children) yield* leavesOf(child);
}
