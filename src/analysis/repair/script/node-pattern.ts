import { isNode, type ScriptNode } from "../../../names/index.ts";

/** A node with the text that it was parsed from. */
export interface NodeInText {
  readonly node: ScriptNode;
  readonly text: string;
}

/** A tree with holes. A hole matches any expression, and the same one at all its places. */
export type NodePattern =
  | { readonly kind: "hole"; readonly hole: number }
  | { readonly kind: "node"; readonly type: string; readonly fields: readonly (readonly [string, FieldPattern])[] };

export type FieldPattern =
  | { readonly kind: "scalar"; readonly value: unknown }
  | { readonly kind: "one"; readonly pattern: NodePattern }
  | { readonly kind: "list"; readonly patterns: readonly (NodePattern | null)[] };

/** Assigns numbers to holes by the texts that the examples have there. */
export class Holes {
  readonly #numbers = new Map<string, number>();
  readonly #isClosed: boolean;

  constructor(entries: Iterable<readonly [string, number]> = [], isClosed = false) {
    for (const [key, number] of entries) this.#numbers.set(key, number);
    this.#isClosed = isClosed;
  }

  /**
   * The hole for the texts at a place of the examples; `undefined` where no new hole is allowed.
   */
  for(texts: readonly string[]): number | undefined {
    const key = texts.join("\0");
    const known = this.#numbers.get(key);
    if (known !== undefined || this.#isClosed) return known;
    this.#numbers.set(key, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** A copy that allows no new holes. */
  closed(): Holes {
    return new Holes(this.#numbers, true);
  }

  /** The number of holes so far. */
  get size(): number {
    return this.#numbers.size;
  }
}

/** A place of a hole, in the order of the text. */
export interface HolePlace {
  readonly hole: number;
  /**
   * Text to write before the value: the key, where `{ key }` gave the hole's value in shorthand.
   */
  readonly prefix?: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The least general pattern that matches both trees: it has holes where they differ. `places`
 * receives their positions in the first tree.
 *
 * `undefined` where a hole is needed that `holes` does not allow. Source: anti-unification, Plotkin
 * 1970.
 */
export function generalise(
  a: NodeInText,
  b: NodeInText,
  holes: Holes,
): { readonly pattern: NodePattern; readonly places: readonly HolePlace[] } | undefined {
  const places: HolePlace[] = [];
  const hole = (one: ScriptNode, other: ScriptNode): NodePattern | undefined => {
    const number = holes.for([a.text.slice(one.start, one.end), b.text.slice(other.start, other.end)]);
    if (number === undefined || !mayVary(one) || !mayVary(other)) return undefined;
    places.push({ hole: number, start: one.start, end: one.end });
    return { kind: "hole", hole: number };
  };
  const walk = (one: ScriptNode, other: ScriptNode): NodePattern | undefined => {
    const made = places.length;
    const same = one.type === other.type ? sameKind(one, other) : undefined;
    if (same !== undefined) return same;
    places.length = made;
    return hole(one, other);
  };
  const sameKind = (one: ScriptNode, other: ScriptNode): NodePattern | undefined => {
    const fields: (readonly [string, FieldPattern])[] = [];
    for (const key of fieldsOf(one)) {
      const [left, right] = [one[key], other[key]];
      if (isNameOnly(one, key) && sourceOf(a.text, left) !== sourceOf(b.text, right)) return undefined;
      const field = fieldPattern(left, right, walk);
      if (field === undefined) return undefined;
      fields.push([key, field]);
    }
    return { kind: "node", type: one.type, fields };
  };
  const pattern = walk(a.node, b.node);
  return pattern === undefined ? undefined : { pattern, places };
}

function fieldPattern(
  left: unknown,
  right: unknown,
  walk: (one: ScriptNode, other: ScriptNode) => NodePattern | undefined,
): FieldPattern | undefined {
  if (isNode(left) && isNode(right)) {
    const pattern = walk(left, right);
    return pattern && { kind: "one", pattern };
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return undefined;
    const patterns: (NodePattern | null)[] = [];
    for (const [index, one] of left.entries()) {
      const pattern =
        isNode(one) && isNode(right[index]) ? walk(one, right[index]) : one === right[index] ? null : undefined;
      if (pattern === undefined) return undefined;
      patterns.push(pattern);
    }
    return { kind: "list", patterns };
  }
  return isScalar(left) && left === right ? { kind: "scalar", value: left } : undefined;
}

/**
 * The texts of a pattern's holes in a tree, by number; `undefined` where the tree does not match. A
 * hole matches a value or a type; where it occurs several times, its texts must be equal.
 */
export function matchPattern(
  pattern: NodePattern,
  { node, text }: NodeInText,
): ReadonlyMap<number, string> | undefined {
  const found = new Map<number, string>();
  const walk = (wanted: NodePattern, one: unknown): boolean => {
    if (!isNode(one)) return false;
    if (wanted.kind === "hole") {
      const source = text.slice(one.start, one.end);
      if (!mayVary(one) || (found.has(wanted.hole) && found.get(wanted.hole) !== source)) return false;
      found.set(wanted.hole, source);
      return true;
    }
    return wanted.type === one.type && wanted.fields.every(([key, field]) => matchField(field, one[key]));
  };
  const matchField = (field: FieldPattern, value: unknown): boolean => {
    if (field.kind === "scalar") return value === field.value;
    if (field.kind === "one") return walk(field.pattern, value);
    return (
      Array.isArray(value) &&
      value.length === field.patterns.length &&
      field.patterns.every((one, index) => (one === null ? value[index] === null : walk(one, value[index])))
    );
  };
  return walk(pattern, node) ? found : undefined;
}

/** Whether a node may be a hole: values and types, but no names of members and keys. */
function mayVary({ type }: ScriptNode): boolean {
  return /Expression$|^(Identifier|Literal|TemplateLiteral)$|^TS\w+(Type|Keyword|Reference)$/.test(type);
}

/** Whether a field holds the name of a member or a key, not a value. */
function isNameOnly(node: ScriptNode, field: string): boolean {
  if (field === "key" || field === "property") return node["computed"] !== true;
  return field === "label" || field === "imported" || field === "exported";
}

function sourceOf(text: string, node: unknown): string | undefined {
  return isNode(node) ? text.slice(node.start, node.end) : undefined;
}

function fieldsOf(node: ScriptNode): string[] {
  return Object.keys(node).filter((key) => !["type", "start", "end", "parent", "raw", "range", "loc"].includes(key));
}

function isScalar(value: unknown): boolean {
  return value === null || value === undefined || typeof value !== "object";
}
