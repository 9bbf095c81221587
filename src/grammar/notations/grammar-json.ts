import { isRecord } from "../../text/index.ts";
/** The deepest nesting of objects and lists in a grammar in JSON. */
export const maxNesting = 1_000;

/**
 * Whether the objects and lists in a JSON value nest deeper than `levels`; empty ones are no level.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** A node of a rule in `grammar.json`. */
export interface GrammarNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Node types that affect trees and conflicts, but not the language. */
export const transparent: ReadonlySet<string> = new Set([
  "PREC",
  "PREC_LEFT",
  "PREC_RIGHT",
  "PREC_DYNAMIC",
  "FIELD",
  "ALIAS",
  "RESERVED",
]);

/** Whether a JSON value is an object with a `type`; other fields are not checked. */
export function isNode(value: unknown): value is GrammarNode {
  return isRecord(value) && typeof value["type"] === "string";
}

/** The nodes of a list; other values in it are left out. Empty where `value` is no list. */
export function nodesIn(value: unknown): GrammarNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The `content` of a node; a `BLANK` node, the empty text, where it has none. */
export function contentOf(node: GrammarNode): GrammarNode {
  return isNode(node["content"]) ? node["content"] : { type: "BLANK" };
}

/** The `name` of a node, such as a `SYMBOL`; `"undefined"` where it has none. */
export function nameOf(node: GrammarNode): string {
  return String(node["name"]);
}

/** The `value` of a node, such as a `STRING`; `"undefined"` where it has none. */
export function textOf(node: GrammarNode): string {
  return String(node["value"]);
}

function unwrapped(node: GrammarNode): GrammarNode {
  return transparent.has(node.type) ? unwrapped(contentOf(node)) : node;
}

/** Whether a rule is a single lexeme, which becomes a token of the same name. */
export function isLexical(node: GrammarNode): boolean {
  const bare = unwrapped(node);
  return ["TOKEN", "IMMEDIATE_TOKEN", "PATTERN"].includes(bare.type) && fixedTexts(bare) === undefined;
}

/** Whether a rule is a token that no trivia may precede (`IMMEDIATE_TOKEN`). */
export function isImmediate(node: GrammarNode): boolean {
  return unwrapped(node).type === "IMMEDIATE_TOKEN";
}

/** The highest precedence in a node and the contents nested in it; at least 0. */
export function precedenceOf(node: GrammarNode): number {
  const value = node.type.startsWith("PREC") && typeof node["value"] === "number" ? node["value"] : 0;
  return isNode(node["content"]) ? Math.max(value, precedenceOf(node["content"])) : value;
}

/**
 * The texts of a token that is a choice of fixed texts, such as a list of keywords; else
 * `undefined`.
 */
export function fixedTexts(node: GrammarNode): { texts: readonly string[]; immediate: boolean } | undefined {
  const bare = unwrapped(node);
  if (bare.type !== "TOKEN" && bare.type !== "IMMEDIATE_TOKEN") return undefined;
  const collect = (each: GrammarNode): readonly string[] | undefined => {
    const inner = unwrapped(each);
    if (inner.type === "STRING") return [textOf(inner)];
    if (inner.type !== "CHOICE") return undefined;
    const parts = nodesIn(inner["members"]).map(collect);
    return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
  };
  const texts = collect(contentOf(bare));
  return texts && { texts, immediate: bare.type === "IMMEDIATE_TOKEN" };
}
