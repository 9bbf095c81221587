import type { TextEdit } from "../../text/text-edit.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import { calledName } from "./call-repair.ts";
import type { ChangeFacts, NewMember } from "./change-facts.ts";
import { isPure } from "./pure-expression.ts";
import type { RepairQuestion, RepairRule } from "./repair.ts";
import { isInScope } from "./scope-at.ts";
import { childrenOf, nodesAround, type ScriptNode } from "./script-nodes.ts";

/**
 * Gives a property that a type asks for now, where its value follows: the only literal of its type, a variable of its name, or what its
 * neighbours are given, where those of the same type are all given alike (`cascade: node.cascade`).
 */
export const missingProperty: RepairRule = (question) => {
  const { finding, text, tree, facts } = question;
  const added = facts.added ?? new Map<string, readonly NewMember[]>();
  const names = missingIn(question).filter((name) => added.has(name));
  if (names.length === 0) return [];
  const literal = literalFor(nodesAround(tree.program, finding.start, finding.end), finding, names);
  if (literal === undefined) return [];
  const path = nodesAround(tree.program, literal.start, literal.end);
  const values = names.map((name) => [
    ...new Set(added.get(name)!.flatMap((one) => valuesOf(one, literal, path, text))),
  ]);
  if (values.some((some) => some.length === 0)) return [];
  // Several properties at once are given only where there is no choice.
  if (names.length > 1 && values.some((some) => some.length > 1)) return [];
  const choices = names.length > 1 ? [values.map(([one]) => one!)] : values[0]!.map((one) => [one]);
  return choices.map((choice) => ({
    certainty: "follows",
    edits: insertedProperties(
      literal,
      names.map((name, index) => ({ name, text: choice[index]!, after: added.get(name)![0]!.siblings })),
      text,
    ),
  }));
};

/**
 * Takes a property out of a literal whose type lost that member and changed in no other way. In the arguments of a function that asks
 * for it no more, any value goes that does nothing but give a value, as an argument would. Elsewhere only the same member of
 * something else goes (`size: node.size`), for any other value says what somebody wants, and is not ours to drop.
 */
export const removedProperty: RepairRule = ({ finding, text, tree, block, facts }) => {
  if (finding.code !== "2353" && finding.code !== "2561") return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const property = path.findLast(({ type }) => type === "Property");
  const literal = path.findLast(({ type }) => type === "ObjectExpression");
  if (property === undefined || literal === undefined || property["computed"] === true) return [];
  const key = property["key"] as ScriptNode;
  const name = String(key["name"] ?? key["value"]);
  if (facts.renamed.has(name) || key.start !== finding.start) return [];
  const value = property["value"] as ScriptNode;
  const isDropped = facts.dropped?.has(name) === true && handsOn(value, name);
  if (!isDropped && !(isPure(value) && isAskedForNoMore(name, literal, path, block, facts))) return [];
  const list = literal["properties"] as readonly ScriptNode[];
  const index = list.indexOf(property);
  const next = list[index + 1];
  const before = list[index - 1];
  if (next !== undefined) {
    // A comment behind the one that goes may be about either; it stays.
    const between = text.slice(property.end, next.start);
    const end = /^\s*,\s*$/.test(between) ? next.start : property.end + between.indexOf(",") + 1;
    return [{ certainty: "follows", edits: [{ start: property.start, end, text: "" }] }];
  }
  const start = before?.end ?? literal.start + 1;
  if (/[/*]/.test(text.slice(start, property.start))) return [];
  return [{ certainty: "follows", edits: [{ start, end: property.end, text: "" }] }];
};

/** Whether a literal is the argument of a function whose parameter lost a member of this name and changed in no other way. */
function isAskedForNoMore(
  name: string,
  literal: ScriptNode,
  path: readonly ScriptNode[],
  block: CodeBlock,
  facts: ChangeFacts,
): boolean {
  const call = path[path.indexOf(literal) - 1];
  if (call?.type !== "CallExpression" && call?.type !== "NewExpression") return false;
  const change = facts.calls?.get(calledName(call, block.owner) ?? "");
  const place = (call["arguments"] as readonly ScriptNode[]).indexOf(literal);
  if (change === undefined || place < 0 || change.before.length !== change.after.length) return false;
  const [before, after] = [change.before[place]?.members, change.after[place]?.members];
  return (
    before?.includes(name) === true && after?.includes(name) === false && after.every((one) => before.includes(one))
  );
}

/** Whether a value is a member of this name. */
function handsOn(value: ScriptNode, name: string): boolean {
  if (value.type === "ChainExpression") return handsOn(value["expression"] as ScriptNode, name);
  if (value.type !== "MemberExpression" || value["computed"] === true || !isPure(value)) return false;
  return (value["property"] as ScriptNode)["name"] === name;
}

/** The names of the properties that a finding says are missing. */
function missingIn({ finding }: RepairQuestion): string[] {
  for (const sentence of [finding.message, ...(finding.details ?? [])]) {
    const one = /^Property '([^']+)' is missing in type/.exec(sentence)?.[1];
    if (one !== undefined) return [one];
    const several = /is missing the following properties from type .*: ([\w$, ]+)$/.exec(sentence)?.[1];
    if (several !== undefined) return several.split(", ");
  }
  return [];
}

/** The object that lacks the names: the innermost around the finding, or the first that begins in it and lacks them. */
function literalFor(
  path: readonly ScriptNode[],
  { start, end }: { readonly start: number; readonly end: number },
  names: readonly string[],
): ScriptNode | undefined {
  const lacks = (node: ScriptNode) =>
    node.type === "ObjectExpression" &&
    (node["properties"] as readonly ScriptNode[]).every(
      (one) => one.type === "Property" && !names.includes(keyOf(one) ?? ""),
    );
  const exact = path.findLast((node) => node.start === start && node.end === end && lacks(node));
  if (exact !== undefined) return exact;
  const last = path.at(-1)!;
  const holder =
    last.type === "Identifier"
      ? path.at(-2)
      : path.findLast(({ type }) => /Statement$|Property$|Declarator$/.test(type));
  const value = (holder?.["value"] ?? holder?.["init"] ?? holder?.["argument"] ?? holder) as ScriptNode | undefined;
  return value === undefined ? undefined : firstLacking(value, lacks, 0);
}

function firstLacking(node: ScriptNode, lacks: (node: ScriptNode) => boolean, depth: number): ScriptNode | undefined {
  if (node.type === "ObjectExpression") return lacks(node) ? node : undefined;
  if (depth > 2) return undefined;
  for (const child of childrenOf(node)) {
    const found = firstLacking(child, lacks, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a new member may be given, each as it stands in the literal. */
function valuesOf(member: NewMember, literal: ScriptNode, path: readonly ScriptNode[], text: string): string[] {
  const { name, type } = member;
  if (/^("[^"\n]*"|'[^'\n]*'|\d+|true|false|null|undefined)$/.test(type)) return [`${name}: ${type}`];
  const found: string[] = [];
  if (isInScope(path, name)) found.push(name);
  const alike = likeNeighbours(member, literal, text);
  if (alike !== undefined) found.push(alike);
  return found;
}

/**
 * What the neighbours of the same type are given, said of this name: two at least, and all that are given in words with their own name
 * in them say the same of it.
 */
function likeNeighbours({ name, type, siblings }: NewMember, literal: ScriptNode, text: string): string | undefined {
  if (type === "") return undefined;
  const alike = new Set(siblings.filter((one) => one.type === type).map((one) => one.name));
  const frames = new Set<string>();
  let count = 0;
  for (const property of literal["properties"] as readonly ScriptNode[]) {
    const key = keyOf(property);
    if (key === undefined || !alike.has(key)) continue;
    const value = property["value"] as ScriptNode;
    const said = text.slice(value.start, value.end);
    const frame = said.replaceAll(new RegExp(`(?<=[.])${key.replaceAll("$", "\\$")}(?![\\w$])`, "g"), "\0");
    if (!frame.includes("\0") || !isPure(value)) return undefined;
    frames.add(frame);
    count += 1;
  }
  if (count === 0 || frames.size !== 1) return undefined;
  const [frame] = frames;
  return `${name}: ${frame!.replaceAll("\0", name)}`;
}

function keyOf(property: ScriptNode): string | undefined {
  const key = property["key"] as ScriptNode | undefined;
  if (key === undefined || property["computed"] === true) return undefined;
  return String(key["name"] ?? key["value"]);
}

interface PropertyToGive {
  readonly name: string;
  readonly text: string;
  /** The members of its type in their order. */
  readonly after: NewMember["siblings"];
}

/** Puts properties behind the ones that stand before them in their type, or at the end. */
function insertedProperties(literal: ScriptNode, added: readonly PropertyToGive[], text: string): TextEdit[] {
  const list = literal["properties"] as readonly ScriptNode[];
  const isTall = text.slice(literal.start, list[0]?.start ?? literal.end).includes("\n");
  const byPlace = new Map<number, string>();
  for (const { name, text: said, after } of added) {
    const order = after.map((one) => one.name);
    const own = order.indexOf(name);
    const before = new Set(order.slice(0, own));
    const behind = new Set(order.slice(own + 1));
    const isLast = !list.some((one) => behind.has(keyOf(one) ?? ""));
    const place = isLast ? list.length - 1 : list.findLastIndex((one) => before.has(keyOf(one) ?? ""));
    const sibling = list[place];
    const indent = /[^\S\n]*$/.exec(text.slice(0, (list[0] ?? literal).start))![0];
    if (sibling === undefined) {
      const first = list[0];
      const at = first?.start ?? literal.start + 1;
      byPlace.set(
        at,
        `${byPlace.get(at) ?? ""}${first === undefined ? ` ${said} ` : isTall ? `${said},\n${indent}` : `${said}, `}`,
      );
    } else byPlace.set(sibling.end, `${byPlace.get(sibling.end) ?? ""}${isTall ? `,\n${indent}${said}` : `, ${said}`}`);
  }
  return [...byPlace].sort(([a], [b]) => a - b).map(([at, said]) => ({ start: at, end: at, text: said }));
}
