import { childrenOf, type ScriptNode } from "../../../names/index.ts";
import { languageById } from "../../../syntax/index.ts";
import { groupBy } from "../../../text/index.ts";
import { codeTokens, meaningOf } from "../../changes/code-tokens.ts";
import { type NodeInText, textAt } from "../script/script-nodes.ts";

/** A place that a change rewrote, before and after. */
export interface ExampleEdit {
  readonly before: NodeInText;
  readonly after: NodeInText;
}

/** A rewrite that was learnt from examples. Plain data. */
export interface LearntRewrite {
  /** What each operand must be: a text, or the same as an earlier operand, by index. */
  readonly required: readonly (string | number | undefined)[];
  /** The new text: literal text, and the indexes of operands. */
  readonly result: readonly (string | number)[];
}

/** Whether a node may be rewritten by example: a call, an access, a named type. */
function isSite({ type }: ScriptNode): boolean {
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
  /**
   * Returns whether the difference was recorded at a deeper node; otherwise the caller's node is
   * the place, if it can be one.
   */
  const walk = (one: ScriptNode, other: ScriptNode): boolean => {
    const [old, now] = [inText(one, before), inText(other, after)];
    if (normalizedText(old) === normalizedText(now)) return true;
    if (one.type !== other.type) return false;
    const made = found.length;
    const isOtherLength = [...childrenOf(one)].length !== [...childrenOf(other)].length;
    const pairs = isSite(one) && isOtherLength ? undefined : alignedChildren(old, now);
    const results = pairs?.map(([left, right]) => walk(left, right));
    if (results !== undefined && found.length > made && results.every(Boolean)) return true;
    if (!isSite(one)) return false;
    found.length = made;
    found.push({ before: old, after: now });
    return true;
  };
  walk(before.node, after.node);
  return found;
}

/**
 * Pairs the children of two nodes: all in order, or, where counts differ, those that remain when
 * equal ones are removed. `undefined` where those differ in number too.
 */
export function alignedChildren(one: NodeInText, other: NodeInText): [ScriptNode, ScriptNode][] | undefined {
  let [left, right] = [[...childrenOf(one.node)], [...childrenOf(other.node)]];
  if (left.length !== right.length) {
    const textsOf = (nodes: readonly ScriptNode[], place: NodeInText) =>
      nodes.map((node) => normalizedText(inText(node, place)));
    const [olds, news] = [textsOf(left, one), textsOf(right, other)];
    left = left.filter((_, index) => !news.includes(olds[index]!));
    right = right.filter((_, index) => !olds.includes(news[index]!));
  }
  return left.length === right.length ? left.map((child, index) => [child, right[index]!]) : undefined;
}

/**
 * Derives rewrites from examples, by the skeleton of the rewritten code: its kind and text, with
 * holes for its operands. What differs between two examples varies; the operands of a single one
 * vary only where the new text is made of parts of the old one, or of constants. What two examples
 * do differently is not learnt.
 */
export function learnRewrites(examples: readonly ExampleEdit[]): ReadonlyMap<string, LearntRewrite> {
  const distinct = new Map(examples.map((one) => [`${textAt(one.before)}\0${textAt(one.after)}`, one]));
  const groups = groupBy(distinct.values(), ({ before }) => skeletonOf(before));
  return new Map(
    [...groups].flatMap(([skeleton, group]) => {
      const learnt = tryLearn(group);
      return learnt === undefined ? [] : [[skeleton, learnt] as const];
    }),
  );
}

/** The new text of a node by the rewrites of its skeleton; `undefined` where there is none. */
export function rewritten(rewrites: ReadonlyMap<string, LearntRewrite>, place: NodeInText): string | undefined {
  const learnt = isSite(place.node) ? rewrites.get(skeletonOf(place)) : undefined;
  if (learnt === undefined) return undefined;
  const { required, result } = learnt;
  const operands = operandTexts(place);
  const isGiven = required.every((one, index) => {
    return one === undefined || operands[index] === (typeof one === "number" ? operands[one] : one);
  });
  if (!isGiven) return undefined;
  const nodes = operandsOf(place.node);
  const written = result.map((part, index) => {
    if (typeof part === "string") return part;
    const isApart = opens.test(`${result[index - 1] ?? ""}`) && closes.test(`${result[index + 1] ?? ""}`);
    return isApart || isPrimary(nodes[part]!) ? operands[part] : `(${operands[part]})`;
  });
  return written.join("");
}

/** What is before and after an operand that needs no parentheses, whatever it is. */
const opens = /(?:^|[([{<,:=])\s*$/;
const closes = /^\s*(?:$|[)\]}>,])/;

function tryLearn(examples: readonly ExampleEdit[]): LearntRewrite | undefined {
  const given = examples.map(({ before }) => operandTexts(before));
  const isSingle = examples.length === 1;
  const columns = given[0]!.map((_, index) => given.map((texts) => texts[index]!));
  const required = columns.map((texts, index) => {
    if (!isSingle && new Set(texts).size === 1) return texts[0];
    const same = columns.findIndex((others) => others.every((text, i) => text === texts[i]));
    return same < index ? same : undefined;
  });
  const [first, ...others] = examples.map((example, index) => newParts(example, given[index]!));
  const { result, isKnown, gone } = first!;
  const text = (parts: readonly (string | number)[]) => JSON.stringify(parts).replaceAll(/(?:\\n|\s)+/g, " ");
  if (!isSingle) return others.every((one) => text(one.result) === text(result)) ? { required, result } : undefined;
  // Text that replaced something is specific to its place. Only an argument that is no longer
  // passed is removed everywhere.
  const { before, after } = examples[0]!;
  const mayVary = isKnown && required.every((one) => one === undefined);
  const isPassed = gone === 0 || gone === argumentsOf(before.node).length - argumentsOf(after.node).length;
  return mayVary && isPassed ? { required, result } : undefined;
}

/**
 * The new text of an example, in which the operands are holes; whether it has no other name than
 * the old one, and the number of operands that it lacks.
 */
function newParts({ before, after }: ExampleEdit, operands: readonly string[]) {
  const known = new Set(namesIn(before.node));
  const places: HolePlace[] = [];
  let isKnown = true;
  const walk = (node: ScriptNode): void => {
    const isShorthand = node.type === "Property" && node["shorthand"] === true;
    const value = isShorthand ? (node["value"] as ScriptNode) : node;
    const text = textAt(inText(value, after));
    const index = isValue(value) ? operands.indexOf(text) : -1;
    if (index >= 0) {
      places.push({ hole: index, prefix: isShorthand ? `${text}: ` : "", start: value.start, end: value.end });
      return;
    }
    if (isShorthand || (node.type === "Identifier" && !known.has(node["name"] as string))) isKnown = false;
    const skipped = node["computed"] === true ? undefined : (node["property"] ?? node["key"]);
    for (const child of childrenOf(node)) if (child !== skipped) walk(child);
  };
  walk(after.node);
  const gone = operands.length - new Set(places.map(({ hole }) => hole)).size;
  return { result: partsOf(after, places), isKnown, gone };
}

/** A place of a hole. */
interface HolePlace {
  readonly hole: number;
  /** Text to write before the value: the key, where `{ key }` gave the value in shorthand. */
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
}

/** The text of a node, split at its holes. */
function partsOf({ node, text }: NodeInText, places: readonly HolePlace[]): (string | number)[] {
  const parts: (string | number)[] = [];
  let at = node.start;
  for (const { hole, prefix, start, end } of [...places].sort((a, b) => a.start - b.start)) {
    parts.push(text.slice(at, start) + prefix, hole);
    at = end;
  }
  parts.push(text.slice(at, node.end));
  return parts;
}

/** The kind and tokens of a node with holes for its operands, independent of its layout. */
function skeletonOf(place: NodeInText): string {
  const places = operandsOf(place.node).map(({ start, end }, hole) => ({ hole, prefix: "", start, end }));
  const text = partsOf(place, places).map((part) => (typeof part === "number" ? "\0" : part));
  return `${place.node.type} ${meaningOf(codeTokens(text.join(""), script)).join(" ")}`;
}

const script = languageById("typescriptreact")!;

/**
 * What may differ elsewhere: the object of a call or access, the arguments, the type arguments of a
 * named type, the values of attributes.
 */
function operandsOf(node: ScriptNode): ScriptNode[] {
  const object = ((node["callee"] as ScriptNode | undefined) ?? node)["object"] as ScriptNode | undefined;
  return [...(object === undefined ? [] : [object]), ...argumentsOf(node)].filter(isValue);
}

function operandTexts(place: NodeInText): readonly string[] {
  return operandsOf(place.node).map((node) => textAt(inText(node, place)));
}

function argumentsOf(node: ScriptNode): readonly ScriptNode[] {
  const types = (node["typeArguments"] as ScriptNode | null | undefined)?.["params"];
  if (node.type === "JSXOpeningElement")
    return (node["attributes"] as readonly ScriptNode[]).flatMap((one) => (one["value"] as ScriptNode | null) ?? []);
  return ((node.type === "TSTypeReference" ? types : node["arguments"]) ?? []) as readonly ScriptNode[];
}

function isValue({ type }: ScriptNode): boolean {
  return type !== "SpreadElement" && type !== "Super" && type !== "ThisExpression";
}

/** Whether an operand needs no parentheses, wherever it is. */
function isPrimary({ type }: ScriptNode): boolean {
  return /^(Identifier|(Template)?Literal|(Member|Call|Array|Parenthesized)Expression|JSX\w+|TSTypeReference)$/.test(
    type,
  );
}

function* namesIn(node: ScriptNode): Generator<string> {
  if (node.type === "Identifier") yield node["name"] as string;
  for (const child of childrenOf(node)) yield* namesIn(child);
}

function inText(node: ScriptNode, { text }: NodeInText): NodeInText {
  return { node, text };
}

function normalizedText(place: NodeInText): string {
  return textAt(place).replaceAll(/\s+/g, " ");
}
