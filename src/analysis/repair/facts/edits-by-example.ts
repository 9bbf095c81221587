import { childrenOf, type ScriptNode } from "../../../names/index.ts";
import {
  generalise,
  type HolePlace,
  Holes,
  matchPattern,
  type NodeInText,
  type NodePattern,
} from "../script/node-pattern.ts";

/** A place that a change rewrote, before and after. */
export interface ExampleEdit {
  readonly before: NodeInText;
  readonly after: NodeInText;
}

/** A rewrite that was learnt from examples. */
export interface LearntRewrite {
  readonly pattern: NodePattern;
  /** The new text: literal text, and the numbers of holes. */
  readonly result: readonly (string | number)[];
  /** The number of examples that it was learnt from. */
  readonly support: number;
}

/** Whether a rewrite may apply to a node: calls, accesses, named types. */
export function isSite({ type }: ScriptNode): boolean {
  return /^(CallExpression|NewExpression|MemberExpression|TSTypeReference|JSXOpeningElement)$/.test(type);
}

/**
 * The places where two otherwise equal trees differ, each as the smallest call, access or named
 * type around the difference. A difference without any of them around it is left out.
 *
 * Where the arguments of a call differ in number, the place is the whole call. In other lists that
 * differ in length, such as statements, the items that only one side has are paired in order if
 * there are equally many on both sides; otherwise the difference is that of the node around them.
 */
export function exampleEdits(before: NodeInText, after: NodeInText): readonly ExampleEdit[] {
  const found: ExampleEdit[] = [];
  const textBefore = (node: ScriptNode) => normalizedText(node, before.text);
  const textAfter = (node: ScriptNode) => normalizedText(node, after.text);
  /**
   * Returns whether the difference was recorded at a deeper node; otherwise the caller's node is
   * the place, if it can be one.
   */
  const walk = (one: ScriptNode, other: ScriptNode): boolean => {
    if (textBefore(one) === textAfter(other)) return true;
    if (one.type !== other.type) return false;
    const made = found.length;
    const pairs = alignedChildren(one, other);
    const results = pairs?.map(([left, right]) => walk(left, right));
    if (results !== undefined && found.length > made && results.every(Boolean)) return true;
    if (!isSite(one)) return false;
    found.length = made;
    found.push({ before: { node: one, text: before.text }, after: { node: other, text: after.text } });
    return true;
  };
  /** Pairs children: all in order, or, where one side has more, those that the other side lacks. */
  const alignedChildren = (one: ScriptNode, other: ScriptNode): [ScriptNode, ScriptNode][] | undefined => {
    let left = [...childrenOf(one)];
    let right = [...childrenOf(other)];
    if (left.length !== right.length) {
      if (isSite(one)) return undefined;
      const [olds, news] = [new Set(left.map(textBefore)), new Set(right.map(textAfter))];
      left = left.filter((child) => !news.has(textBefore(child)));
      right = right.filter((child) => !olds.has(textAfter(child)));
    }
    return left.length === right.length ? left.map((child, index) => [child, right[index]!]) : undefined;
  };
  walk(before.node, after.node);
  return found;
}

/**
 * Derives rewrites from examples, at most one for each called, accessed or named thing. Two
 * examples of a kind show what varies by where they differ; a single one only where the new text is
 * made of parts of the old one, or of constants. What two examples do differently is not learnt.
 */
export function learnRewrites(examples: readonly ExampleEdit[]): readonly LearntRewrite[] {
  const byHead = new Map<string, ExampleEdit[]>();
  for (const example of examples) {
    const head = headOf(example.before.node);
    if (head === undefined) continue;
    const list = byHead.get(head);
    if (list === undefined) byHead.set(head, [example]);
    else if (!list.some((one) => isSameExample(one, example))) list.push(example);
  }
  return [...byHead.values()].flatMap((list) => {
    const [first, ...others] = list;
    const one = others.length === 0 ? fromOne(first!) : fromSeveral(first!, others);
    return one === undefined ? [] : [one];
  });
}

/** The new text of a node by a rewrite; `undefined` where the pattern does not match. */
export function rewritten({ pattern, result }: LearntRewrite, place: NodeInText): string | undefined {
  const holes = matchPattern(pattern, place);
  return holes && result.map((part) => (typeof part === "string" ? part : holes.get(part)!)).join("");
}

function fromSeveral(first: ExampleEdit, others: readonly ExampleEdit[]): LearntRewrite | undefined {
  let widest: LearntRewrite | undefined;
  for (const other of others) {
    const holes = new Holes();
    const before = generalise(first.before, other.before, holes);
    const after = before && generalise(first.after, other.after, holes.closed());
    if (before === undefined || after === undefined) return undefined;
    const learnt = {
      pattern: before.pattern,
      result: partsOf(first.after, after.places),
      support: others.length + 1,
    };
    if (widest === undefined || covers(learnt, widest, others)) widest = learnt;
  }
  return widest !== undefined && others.every((one) => rewritten(widest, one.before) === textAt(one.after))
    ? widest
    : undefined;
}

function covers(a: LearntRewrite, b: LearntRewrite, examples: readonly ExampleEdit[]): boolean {
  const count = (one: LearntRewrite) => examples.filter(({ before }) => rewritten(one, before) !== undefined).length;
  return count(a) > count(b);
}

/** Generalises a single example: its arguments, and the object of a call, may differ elsewhere. */
function fromOne({ before, after }: ExampleEdit): LearntRewrite | undefined {
  const varying = variables(before.node);
  const table = new Map(varying.map((node, index) => [before.text.slice(node.start, node.end), index] as const));
  if (table.size < varying.length) return undefined;
  const pattern = withHoles(before.node, new Map(varying.map((node, index) => [node, index])));
  const places: HolePlace[] = [];
  const known = new Set(namesIn(before.node));
  const isKnown = (node: ScriptNode): boolean => {
    if (node.type === "Property" && node["shorthand"] === true) {
      const { start, end } = node["value"] as ScriptNode;
      const keyText = after.text.slice(start, end);
      const given = table.get(keyText);
      if (given !== undefined) places.push({ hole: given, prefix: `${keyText}: `, start, end });
      return given !== undefined;
    }
    const hole = table.get(after.text.slice(node.start, node.end));
    if (hole !== undefined && isValue(node)) {
      places.push({ hole, start: node.start, end: node.end });
      return true;
    }
    if (node.type === "Identifier" && !known.has(node["name"] as string)) return false;
    const skipped = node["computed"] === true ? undefined : (node["property"] ?? node["key"]);
    for (const child of childrenOf(node)) if (child !== skipped && !isKnown(child)) return false;
    return true;
  };
  if (!isKnown(after.node)) return undefined;
  // Text that replaced something is specific to its place. Only an argument that is no longer
  // passed is removed everywhere.
  const isGone = table.size - new Set(places.map(({ hole }) => hole)).size;
  if (isGone !== 0 && isGone !== countGiven(before.node) - countGiven(after.node)) return undefined;
  return { pattern, result: partsOf(after, places), support: 1 };
}

function countGiven(node: ScriptNode): number {
  const types = (node["typeArguments"] as ScriptNode | null | undefined)?.["params"];
  const lists = [node["arguments"], types].map((list) => (list ?? []) as readonly ScriptNode[]);
  return lists.reduce((sum, { length }) => sum + length, 0);
}

function variables(node: ScriptNode): ScriptNode[] {
  const callee = node["callee"] as ScriptNode | undefined;
  const object = (callee === undefined ? node["object"] : callee["object"]) as ScriptNode | undefined;
  const types = (node["typeArguments"] as ScriptNode | null | undefined)?.["params"] as
    | readonly ScriptNode[]
    | undefined;
  const given = [
    ...((node["arguments"] ?? []) as readonly ScriptNode[]),
    ...(node.type === "TSTypeReference" ? (types ?? []) : []),
  ];
  return [...(object === undefined ? [] : [object]), ...given].filter(isValue);
}

function isValue({ type }: ScriptNode): boolean {
  return type !== "SpreadElement" && type !== "Super" && type !== "ThisExpression";
}

function withHoles(node: ScriptNode, holes: ReadonlyMap<ScriptNode, number>): NodePattern {
  const hole = holes.get(node);
  if (hole !== undefined) return { kind: "hole", hole };
  const same = generalise({ node, text: "" }, { node, text: "" }, new Holes())!.pattern;
  if (same.kind === "hole") return same;
  const fields = same.fields.map(([key, field]) => {
    const value = node[key];
    if (field.kind === "one") return [key, { ...field, pattern: withHoles(value as ScriptNode, holes) }] as const;
    if (field.kind !== "list") return [key, field] as const;
    const patterns = (value as readonly (ScriptNode | null)[]).map((one) =>
      one === null ? null : withHoles(one, holes),
    );
    return [key, { ...field, patterns }] as const;
  });
  return { ...same, fields };
}

function* namesIn(node: ScriptNode): Generator<string> {
  if (node.type === "Identifier") yield node["name"] as string;
  for (const child of childrenOf(node)) yield* namesIn(child);
}

/** The text of a node, split at its holes. */
function partsOf({ node, text }: NodeInText, places: readonly HolePlace[]): (string | number)[] {
  const parts: (string | number)[] = [];
  let at = node.start;
  for (const { hole, prefix = "", start, end } of [...places].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start) + prefix, hole);
    at = end;
  }
  parts.push(text.slice(at, node.end));
  return parts;
}

/** The name that a node is about: the called function, the accessed member, the named type. */
function headOf(node: ScriptNode): string | undefined {
  const callee = (node["callee"] ?? node["typeName"] ?? node["name"] ?? node) as ScriptNode;
  const name = callee["name"] ?? (callee["property"] as ScriptNode | undefined)?.["name"];
  return typeof name === "string" ? `${node.type} ${name}` : undefined;
}

function isSameExample(a: ExampleEdit, b: ExampleEdit): boolean {
  return textAt(a.before) === textAt(b.before) && textAt(a.after) === textAt(b.after);
}

function textAt({ node, text }: NodeInText): string {
  return text.slice(node.start, node.end);
}

function normalizedText(node: ScriptNode, text: string): string {
  return text.slice(node.start, node.end).replaceAll(/\s+/g, " ");
}
