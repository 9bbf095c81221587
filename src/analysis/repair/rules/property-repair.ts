import { childrenOf, nodesAround, type ScriptNode } from "../../../names/index.ts";
import { escapedPattern } from "../../../text/index.ts";
import type { CallChange } from "../facts/call-changes.ts";
import type { ChangeFacts, NewMember } from "../facts/change-facts.ts";
import type { Repair, RepairContext, RepairRule } from "../repair.ts";
import { isValueAt } from "../script/binding-uses.ts";
import {
  type GivenProperty,
  handsOn,
  hasProperties,
  propertiesOf,
  withoutProperty,
  withProperties,
} from "../script/property-list.ts";
import { calledName, isPure } from "../script/script-nodes.ts";
import { textByTemplate } from "./name-templates.ts";

/**
 * Adds a required property, or an attribute, where its value follows: the only literal of its type,
 * the value that the change itself gave it elsewhere, a variable of its name, a member of its name
 * that is already given as another property, or the pattern of the neighbours of the same type
 * (`cascade: node.cascade`). One repair for each possible value; none where no value follows, or
 * where several properties are missing and one of them has several values.
 */
export const missingProperty: RepairRule = (question) => {
  const { text, tree, facts } = question;
  const missing = missingPropertiesOf(question);
  if (missing === undefined) return [];
  const { owner, names } = missing;
  const values = names.map((name) => {
    const members = facts.added?.get(name) ?? [];
    const given = facts.givenValues?.get(name);
    const found = members.flatMap((member) => [...literalOf(member), ...likeNeighbours(member, owner, text)]);
    if (given !== undefined) found.push(given);
    if (isValueAt(tree, name, owner)) found.push(name);
    found.push(...givenAs(name, owner, text));
    return [...new Set(found)];
  });
  if (values.some((some) => some.length === 0)) return [];
  // Several properties are only added where each has exactly one value.
  if (names.length > 1 && values.some((some) => some.length > 1)) return [];
  const choices = names.length > 1 ? [values.map(([one]) => one!)] : values[0]!.map((one) => [one]);
  return choices.map((choice) => ({ certainty: "follows", ...withValues(missing, choice, question) }));
};

/**
 * Adds required properties where the values of all given ones follow one pattern of their names:
 * `ring: drawRing` beside `dot: drawDot`. Otherwise there is no repair.
 */
export const alikeProperty: RepairRule = (question) => {
  const missing = missingPropertiesOf(question);
  if (missing === undefined) return [];
  const list = propertiesOf(missing.owner);
  if (!list.every(({ name, value }) => name !== undefined && value !== undefined && isPure(value))) return [];
  const others = list.map(({ name, value }) => ({
    name: lastName(name!),
    text: question.text.slice(value!.start, value!.end),
  }));
  const values = missing.names.map((name) => textByTemplate(others, lastName(name)));
  const isWhole = values.every((value) => value !== undefined);
  return isWhole ? [{ certainty: "follows", ...withValues(missing, values, question) }] : [];
};

/**
 * Adds required properties with empty values, as a `stub`: `undefined` or `null` where the type
 * allows it, otherwise an empty string or array, 0, false and the like. No repair where a type has
 * no empty value.
 */
export const missingPropertyStub: RepairRule = (question) => {
  const missing = missingPropertiesOf(question);
  if (missing === undefined) return [];
  const values = missing.names.map((name) => {
    const [member] = question.facts.added?.get(name) ?? [];
    return member === undefined || member.type === "" ? blankLike(missing.owner) : blankOf(member.type);
  });
  const isWhole = values.every((value) => value !== undefined);
  return isWhole ? [{ certainty: "stub", ...withValues(missing, values, question) }] : [];
};

/** The object or element that lacks properties, and their names. */
interface MissingProperties {
  readonly owner: ScriptNode;
  readonly names: readonly string[];
}

function missingPropertiesOf(question: RepairContext): MissingProperties | undefined {
  const { diagnostic, tree, facts } = question;
  const reportedNames = missingIn(question);
  if (reportedNames.length === 0) return undefined;
  const owner = ownerFor(nodesAround(tree.program, diagnostic.start, diagnostic.end), diagnostic, reportedNames);
  const names = owner && namesFor(reportedNames, owner, facts);
  return owner && names && { owner, names };
}

function withValues(
  { owner, names }: MissingProperties,
  values: readonly string[],
  { text, facts }: RepairContext,
): Pick<Repair, "edits" | "about"> {
  const added = names.map((name, index) => ({ name, value: values[index]!, order: orderOf(name, facts) }));
  return { edits: withProperties(owner, added, text), about: names };
}

/** The names of the type's members in order, as they are written as keys. */
function orderOf(name: string, { added }: ChangeFacts): readonly string[] {
  const of = memberKey.exec(name)?.[1];
  const siblings = (added?.get(lastName(name))?.[0]?.siblings ?? []).map((one) => one.name);
  return of === undefined ? siblings : siblings.map((one) => `[${of}${one}]`);
}

/** `Ring` of `[Kind.Ring]`; other names are unchanged. */
function lastName(name: string): string {
  return memberKey.exec(name)?.[2] ?? name;
}

/** A computed key that is a member: its object with the dot, and its name. */
const memberKey = /^\[(.*\.)([^.]+)\]$/;

/** The names of the missing properties in a diagnostic's message. */
function missingIn({ diagnostic }: RepairContext): string[] {
  for (const sentence of [diagnostic.message, ...(diagnostic.details ?? [])]) {
    const one = /^Property '([^']+)' is missing in type/.exec(sentence)?.[1];
    if (one !== undefined) return [unquoted(one)];
    const type = sentence.split("is missing the following properties from type ", 2)[1] ?? "";
    const several = type.includes(": ") ? type.slice(type.lastIndexOf(": ") + 2).split(", ") : undefined;
    // For many properties the message lists only some.
    if (several?.every((name) => !/^and \d+ more/.test(name))) return several.map(unquoted);
  }
  return [];
}

function unquoted(name: string): string {
  return /^"(.*)"$/.exec(name)?.[1] ?? name;
}

/**
 * The names as the owner writes its keys: the checker reports members of an `enum` by their values.
 */
function namesFor(
  reportedNames: readonly string[],
  owner: ScriptNode,
  { added }: ChangeFacts,
): readonly string[] | undefined {
  const had = propertiesOf(owner).flatMap(({ name }) => name ?? []);
  const of = memberKey.exec(had[0] ?? "")?.[1];
  if (of === undefined || reportedNames.some((name) => name.startsWith("["))) return reportedNames;
  const members = [...(added?.values() ?? [])].flat();
  const come = members.filter((one) => one.siblings.some(({ name }) => had.includes(`[${of}${name}]`)));
  const names = come.map(({ name }) => `[${of}${name}]`).filter((name) => !had.includes(name));
  return names.length === reportedNames.length ? names : undefined;
}

/**
 * The node that lacks the names: the element at the diagnostic, the innermost object around it, or
 * the first one in it that lacks them.
 */
function ownerFor(
  path: readonly ScriptNode[],
  { start, end }: { readonly start: number; readonly end: number },
  names: readonly string[],
): ScriptNode | undefined {
  const lacks = (node: ScriptNode) =>
    hasProperties(node) && propertiesOf(node).every(({ name }) => name !== undefined && !names.includes(name));
  const element = path.findLast(({ type }) => type === "JSXOpeningElement");
  // The content of an element is its `children` property.
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

/** The empty value of a type, which is written without whitespace. */
function blankOf(type: string): string | undefined {
  const kinds = type.split("|");
  for (const empty of ["undefined", "null"]) if (kinds.includes(empty)) return empty;
  return blanks.find(([pattern]) => pattern.test(type))?.[1];
}

const blanks: readonly (readonly [RegExp, string])[] = [
  [/^string$/, '""'],
  [/^number$/, "0"],
  [/^bigint$/, "0n"],
  [/^boolean$/, "false"],
  [/^[^|&]*\[\]$|^(?:Readonly)?Array</, "[]"],
  [/^(?:Readonly)?Map</, "new Map()"],
  [/^(?:Readonly)?Set</, "new Set()"],
  [/^(?:Partial|Record)<|^\{/, "{}"],
  [/^\(.*\)=>(?:void|undefined)$/, "() => {}"],
];

/** The empty value of the type that all given values share. */
function blankLike(owner: ScriptNode): string | undefined {
  const kinds = new Set(propertiesOf(owner).map(({ value }) => value && blankOfValue(value)));
  const [blank] = kinds;
  return kinds.size === 1 ? blank : undefined;
}

function blankOfValue({ type, ...node }: ScriptNode): string | undefined {
  switch (type) {
    case "TemplateLiteral":
      return '""';
    case "Literal":
      return { string: '""', number: "0", bigint: "0n", boolean: "false" }[typeof node["value"] as string];
    case "ArrayExpression":
      return "[]";
    case "ObjectExpression":
      return "{}";
    default:
      return undefined;
  }
}

/** The only value of a member's literal type. */
function literalOf({ type }: NewMember): string[] {
  return /^("[^"\n]*"|'[^'\n]*'|\d+|true|false|null|undefined)$/.test(type) ? [type] : [];
}

/**
 * The only member of this name that is given as another property: `this.ring` of `{ loop: this.ring
 * }` for `ring`.
 */
function givenAs(name: string, owner: ScriptNode, text: string): string[] {
  const found = propertiesOf(owner).flatMap(({ value }) =>
    value !== undefined && handsOn(value, name) ? [text.slice(value.start, value.end)] : [],
  );
  return new Set(found).size === 1 ? [found[0]!] : [];
}

/**
 * The value that follows the pattern of the neighbours of the same type: at least two, where all
 * whose values contain their own name follow the same pattern.
 */
function likeNeighbours({ name, type, siblings }: NewMember, owner: ScriptNode, text: string): string[] {
  if (type === "") return [];
  const alike = new Set(siblings.filter((one) => one.type === type).map((one) => one.name));
  const isAlike = (one: GivenProperty) => one.name !== undefined && alike.has(one.name);
  const frames = new Set<string>();
  for (const { name: key, value } of propertiesOf(owner).filter(isAlike)) {
    if (key === undefined || value === undefined || !isPure(value)) return [];
    const source = text.slice(value.start, value.end);
    const frame = source.replaceAll(new RegExp(`(?<=[.])${escapedPattern(key)}(?![\\w$])`, "g"), "\0");
    if (!frame.includes("\0")) return [];
    frames.add(frame);
  }
  const [frame] = frames;
  return frame === undefined || frames.size > 1 ? [] : [frame.replaceAll("\0", name)];
}

/**
 * Removes a property of an object literal, or an attribute, whose type lost that member and changed
 * in no other way. In the arguments of a function that no longer declares it, any value without
 * side effects is removed, as an argument would be. Elsewhere only the same member of another
 * object is removed (`size: node.size`), since any other value is deliberate.
 */
export const removedProperty: RepairRule = ({ diagnostic, text, tree, facts }) => {
  if (!/^(2322|2353|2561)$/.test(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const isAttribute = diagnostic.code === "2322";
  const owner = path.findLast(({ type }) => type === (isAttribute ? "JSXOpeningElement" : "ObjectExpression"));
  const property = owner && propertiesOf(owner).find(({ node }) => node.start === diagnostic.start);
  const { name, value, node } = property ?? {};
  if (owner === undefined || name === undefined || value === undefined || facts.renamed.has(name)) return [];
  const isDropped = facts.removedAlone?.has(name) === true && handsOn(value, name);
  const isStillNeeded = isAttribute || !isPure(value) || !isMemberRemoved(name, owner, path, facts);
  if (!isDropped && isStillNeeded) return [];
  const edit = withoutProperty(owner, node!, text);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * Whether a literal is the argument of a function whose parameter lost a member of this name and
 * changed in no other way.
 */
function isMemberRemoved(name: string, literal: ScriptNode, path: readonly ScriptNode[], facts: ChangeFacts): boolean {
  const call = path[path.indexOf(literal) - 1];
  if (call?.type !== "CallExpression" && call?.type !== "NewExpression") return false;
  const change = facts.calls?.get(calledName(call, path) ?? "");
  const place = (call["arguments"] as readonly ScriptNode[]).indexOf(literal);
  if (change === undefined || place < 0 || change.before.length !== change.after.length) return false;
  const namesIn = (parameters: CallChange["before"]) => parameters[place]?.members?.map((member) => member.name);
  const [before, after] = [namesIn(change.before), namesIn(change.after)];
  return (
    before?.includes(name) === true && after?.includes(name) === false && after.every((one) => before.includes(one))
  );
}
