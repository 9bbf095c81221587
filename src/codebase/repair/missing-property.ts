import type { NewMember } from "./change-facts.ts";
import { type GivenProperty, handsOn, hasProperties, propertiesOf, withProperties } from "./property-list.ts";
import { isPure } from "./pure-expression.ts";
import type { RepairQuestion, RepairRule } from "./repair.ts";
import { isInScope } from "./scope-at.ts";
import { childrenOf, nodesAround, type ScriptNode } from "./script-nodes.ts";

/**
 * Gives a property that a type asks for now, or an attribute, where its value follows: the only literal of its type, what the change
 * itself gives it elsewhere, a variable of its name, a member of its name that is given as something else already, or what its
 * neighbours are given, where those of the same type are all given alike (`cascade: node.cascade`).
 */
export const missingProperty: RepairRule = (question) => {
  const { finding, text, tree, facts } = question;
  const names = missingIn(question);
  if (names.length === 0) return [];
  const owner = ownerFor(nodesAround(tree.program, finding.start, finding.end), finding, names);
  if (owner === undefined) return [];
  const path = nodesAround(tree.program, owner.start, owner.end);
  const values = names.map((name) => {
    const members = facts.added?.get(name) ?? [];
    const given = facts.given?.get(name);
    const found = members.flatMap((member) => [...literalOf(member), ...likeNeighbours(member, owner, text)]);
    if (given !== undefined) found.push(given);
    if (isInScope(path, name)) found.push(name);
    found.push(...givenAs(name, owner, text));
    return [...new Set(found)];
  });
  if (values.some((some) => some.length === 0)) return [];
  // Several properties at once are given only where there is no choice.
  if (names.length > 1 && values.some((some) => some.length > 1)) return [];
  const choices = names.length > 1 ? [values.map(([one]) => one!)] : values[0]!.map((one) => [one]);
  return choices.map((choice) => ({
    certainty: "follows",
    edits: withProperties(
      owner,
      names.map((name, index) => ({
        name,
        value: choice[index]!,
        order: facts.added?.get(name)?.[0]?.siblings.map((one) => one.name) ?? [],
      })),
      text,
    ),
  }));
};

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

/** What lacks the names: the element that the finding names, the innermost object around it, or the first that begins in it and lacks them. */
function ownerFor(
  path: readonly ScriptNode[],
  { start, end }: { readonly start: number; readonly end: number },
  names: readonly string[],
): ScriptNode | undefined {
  const lacks = (node: ScriptNode) =>
    hasProperties(node) && propertiesOf(node).every(({ name }) => name !== undefined && !names.includes(name));
  const element = path.findLast(({ type }) => type === "JSXOpeningElement");
  // What stands between the tags is given, too.
  if (element !== undefined && (element["name"] as ScriptNode).start === start)
    return lacks(element) && !names.includes("children") ? element : undefined;
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

/** The only value that a member's type has. */
function literalOf({ type }: NewMember): string[] {
  return /^("[^"\n]*"|'[^'\n]*'|\d+|true|false|null|undefined)$/.test(type) ? [type] : [];
}

/** The one member of this name that is given as other properties: `this.ring` of `{ loop: this.ring }`, asked for `ring`. */
function givenAs(name: string, owner: ScriptNode, text: string): string[] {
  const found = propertiesOf(owner).flatMap(({ value }) =>
    value !== undefined && handsOn(value, name) ? [text.slice(value.start, value.end)] : [],
  );
  return new Set(found).size === 1 ? [found[0]!] : [];
}

/**
 * What the neighbours of the same type are given, said of this name: two at least, and all that are given in words with their own name
 * in them say the same of it.
 */
function likeNeighbours({ name, type, siblings }: NewMember, owner: ScriptNode, text: string): string[] {
  if (type === "") return [];
  const alike = new Set(siblings.filter((one) => one.type === type).map((one) => one.name));
  const isAlike = (one: GivenProperty) => one.name !== undefined && alike.has(one.name);
  const frames = new Set<string>();
  for (const { name: key, value } of propertiesOf(owner).filter(isAlike)) {
    if (key === undefined || value === undefined || !isPure(value)) return [];
    const said = text.slice(value.start, value.end);
    const frame = said.replaceAll(new RegExp(`(?<=[.])${key.replaceAll("$", "\\$")}(?![\\w$])`, "g"), "\0");
    if (!frame.includes("\0")) return [];
    frames.add(frame);
  }
  const [frame] = frames;
  return frame === undefined || frames.size > 1 ? [] : [frame.replaceAll("\0", name)];
}
