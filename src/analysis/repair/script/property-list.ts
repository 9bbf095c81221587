import type { ScriptNode } from "../../../names/index.ts";
import { languageById, Structure } from "../../../syntax/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import { isPure } from "./script-nodes.ts";

/** A property of an object literal, or an attribute of an element. */
export interface GivenProperty {
  /**
   * `[Kind.Ring]` for a computed key that is a member; absent for other computed keys and for
   * spread.
   */
  readonly name?: string;
  /** Absent for an attribute without a value, and for spread. */
  readonly value?: ScriptNode;
  readonly node: ScriptNode;
}

/** A property to add: its name, and the text of its value. */
export interface PropertyToGive {
  readonly name: string;
  readonly value: string;
  /** The names of all members of its type in their order. */
  readonly order: readonly string[];
}

/** Whether a node has properties: an object literal, or an opening element. */
export function hasProperties({ type }: ScriptNode): boolean {
  return type === "ObjectExpression" || type === "JSXOpeningElement";
}

/**
 * The properties of an object literal, or the attributes of an opening element, in text order;
 * spreads are included, without a name.
 */
export function propertiesOf(owner: ScriptNode): readonly GivenProperty[] {
  return nodesOf(owner).map((node) => {
    if (node.type === "JSXAttribute") {
      const name = (node["name"] as ScriptNode)["name"];
      const content = node["value"] as ScriptNode | null;
      const value = content?.type === "JSXExpressionContainer" ? (content["expression"] as ScriptNode) : content;
      return { node, ...(typeof name === "string" && { name }), ...(value && { value }) };
    }
    const key = node["key"] as ScriptNode | undefined;
    const name = node.type === "Property" && key !== undefined ? keyName(key, node["computed"] === true) : undefined;
    return name === undefined ? { node } : { node, name, value: node["value"] as ScriptNode };
  });
}

function keyName(key: ScriptNode, isComputed: boolean): string | undefined {
  if (!isComputed) return String(key["name"] ?? key["value"]);
  // The value of a variable as a computed key is unknown.
  const member = key.type === "MemberExpression" ? memberName(key) : undefined;
  return member === undefined ? undefined : `[${member}]`;
}

/** `Kind.Ring` without whitespace. */
function memberName({ type, ...node }: ScriptNode): string | undefined {
  if (type === "Identifier") return String(node["name"]);
  if (type !== "MemberExpression" || node["computed"] === true) return undefined;
  const object = memberName(node["object"] as ScriptNode);
  return object === undefined ? undefined : `${object}.${String((node["property"] as ScriptNode)["name"])}`;
}

/**
 * Whether a value is a member of this name of another object, and has no side effects: `node.size`
 * for `size`.
 */
export function handsOn(value: ScriptNode, name: string): boolean {
  if (value.type === "ChainExpression") return handsOn(value["expression"] as ScriptNode, name);
  if (value.type !== "MemberExpression" || value["computed"] === true || !isPure(value)) return false;
  return (value["property"] as ScriptNode)["name"] === name;
}

/**
 * The edits that insert properties after those that precede them in their type, or at the end;
 * ascending. A comment after a property on its line stays with that property.
 */
export function withProperties(owner: ScriptNode, added: readonly PropertyToGive[], text: string): readonly TextEdit[] {
  const list = propertiesOf(owner);
  const isElement = owner.type === "JSXOpeningElement";
  const first = list[0]?.node;
  const open = isElement ? ((owner["typeArguments"] ?? owner["name"]) as ScriptNode).end : owner.start + 1;
  const lineBreak = first && /\r?\n/.exec(text.slice(open, first.start))?.[0];
  const indent = /(?<![^\S\n])[^\S\n]*$/.exec(text.slice(0, (first ?? owner).start))![0];
  const between = lineBreak === undefined ? " " : lineBreak + indent;
  const gap = isElement ? between : `,${between}`;
  const quote = keyQuote(list, text);
  const byPlace = new Map<number, string>();
  const put = (at: number, inserted: string) => byPlace.set(at, (byPlace.get(at) ?? "") + inserted);
  for (const { name, value, order } of added) {
    const property = isElement ? printAttribute(name, value) : printProperty(name, value, quote);
    const own = order.indexOf(name);
    const isBehind = (one: GivenProperty) => order.indexOf(one.name ?? "") > own;
    const isBefore = (one: GivenProperty) => order.slice(0, own).includes(one.name ?? "");
    const place = list.some(isBehind) ? list.findLastIndex(isBefore) : list.length - 1;
    const sibling = list[place]?.node;
    const remark = sibling && !isElement && lineBreak !== undefined ? remarkBehind(sibling.end, text) : undefined;
    if (sibling !== undefined && remark !== undefined) {
      if (!remark.hasComma && !byPlace.has(sibling.end)) put(sibling.end, ",");
      const isInLine = byPlace.has(remark.end) && !remark.hasComma;
      put(remark.end, `${isInLine ? "," : ""}${between}${property}${remark.hasComma ? "," : ""}`);
    } else if (sibling !== undefined) put(sibling.end, gap + property);
    else if (first !== undefined) put(first.start, property + gap);
    else put(open, isElement ? ` ${property}` : ` ${property} `);
  }
  return [...byPlace].sort(([a], [b]) => a - b).map(([at, inserted]) => ({ start: at, end: at, text: inserted }));
}

/** The end of a comment that ends the line, and whether there is a comma before it. */
function remarkBehind(at: number, text: string): { readonly end: number; readonly hasComma: boolean } | undefined {
  const found = /^(,?)[^\S\n]*(?:\/\/[^\r\n]*(?=\r?\n)|\/\*(?:(?!\*\/)[^\n])*\*\/(?=[^\S\n]*\n))/.exec(text.slice(at));
  return found === null ? undefined : { end: at + found[0].length, hasComma: found[1] === "," };
}

/** The quote of all keys that do not need one; `undefined` where not all have one. */
function keyQuote(list: readonly GivenProperty[], text: string): string | undefined {
  const marks = new Set(list.map(({ node }) => text[node.start]!));
  const [mark] = marks;
  return marks.size === 1 && /["']/.test(mark!) ? mark : undefined;
}

/**
 * The edit that removes a property. `undefined` where it is the last one, or an attribute, and a
 * comment would be removed with it.
 */
export function withoutProperty(owner: ScriptNode, property: ScriptNode, text: string): TextEdit | undefined {
  const list = nodesOf(owner);
  const index = list.indexOf(property);
  const next = list[index + 1];
  if (next !== undefined && owner.type !== "JSXOpeningElement") {
    // A comment after the removed property may be about either neighbour; it stays.
    const between = text.slice(property.end, next.start);
    const end = /^\s*,\s*$/.test(between) ? next.start : property.end + commaIn(between) + 1;
    return { start: property.start, end, text: "" };
  }
  const before = list[index - 1] ?? ((owner["typeArguments"] ?? owner["name"]) as ScriptNode | null | undefined);
  const start = before?.end ?? owner.start + 1;
  return /[/*]/.test(text.slice(start, property.start)) ? undefined : { start, end: property.end, text: "" };
}

/** The offset of the comma between two properties; those in comments do not count. */
function commaIn(between: string): number {
  const structure = Structure.of(between, languageById("typescript")!);
  let at = between.indexOf(",");
  while (at >= 0 && structure.isInsideComment(at)) at = between.indexOf(",", at + 1);
  return at;
}

function nodesOf(owner: ScriptNode): readonly ScriptNode[] {
  return (owner["properties"] ?? owner["attributes"]) as readonly ScriptNode[];
}

function printAttribute(name: string, value: string): string {
  const quoted = /^(["'])([^"'\\&]*)\1$/.exec(value)?.[2];
  return quoted === undefined ? `${name}={${value}}` : `${name}="${quoted}"`;
}

function printProperty(name: string, value: string, quote: string | undefined): string {
  if (name.startsWith("[") || (quote === undefined && isKey.test(name)))
    return value === name ? name : `${name}: ${value}`;
  return `${quoted(name, quote)}: ${value}`;
}

/** A key that needs no quotes. */
const isKey = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+)$/u;

/**
 * A string literal: in single quotes where `quote` is `'` and nothing needs an escape, otherwise in
 * double quotes.
 */
export function quoted(text: string, quote: string | undefined): string {
  return quote === "'" && !/['\\\n]/.test(text) ? `'${text}'` : JSON.stringify(text);
}
