import { nodesAround, type ScriptNode } from "../../../names/index.ts";
import type { Repair, RepairContext, RepairRule } from "../repair.ts";
import { quoted } from "../script/property-list.ts";
import { textByTemplate } from "./name-templates.ts";

/**
 * Adds the cases that a `switch` lacks since a type lists more members, where the bodies of all
 * cases follow one pattern of their names: `case "ring": return drawRing();`. Several repairs are
 * alternatives where it is unknown which cases are missing; none where the bodies follow no
 * pattern.
 */
export const missingCase: RepairRule = (question) => {
  const gap = gapIn(question);
  if (gap === undefined) return [];
  const others = gap.labelled.map((clause) => ({ name: nameOf(clause), text: bodyOf(clause, question) }));
  const bodyFor = ({ name }: Label) => textByTemplate(others, name);
  return repairsIn(gap, question, "follows", bodyFor);
};

/**
 * Adds the cases that a `switch` lacks since a type lists more members, with bodies that throw, as
 * a `stub`. Several repairs are alternatives where it is unknown which cases are missing.
 */
export const missingCaseStub: RepairRule = (question) => {
  const gap = gapIn(question);
  if (gap === undefined) return [];
  return repairsIn(gap, question, "stub", ({ name }) => stubOf(name, gap.sibling, question));
};

/** A `switch` that lacks cases, and where they may be inserted. */
interface Gap {
  /** The cases that have a label. */
  readonly labelled: readonly ScriptNode[];
  /** The case after which a new one may be inserted; it does not fall through. */
  readonly sibling: ScriptNode;
  /** Alternative sets of missing labels; the type checker chooses. */
  readonly ways: readonly (readonly Label[])[];
}

interface Label {
  readonly name: string;
  /** As written after `case`. */
  readonly text: string;
}

function gapIn(question: RepairContext): Gap | undefined {
  const { diagnostic, tree } = question;
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const around = switchOf(path, question);
  const labelled = casesOf(around).filter((clause) => clause["test"] !== null);
  // A removed label may have been renamed to the missing one.
  const { literals, removed } = question.facts;
  if (labelled.map(nameOf).some((name) => literals?.gone.has(name) === true || removed.has(name))) return undefined;
  const ways = waysFor(labelled, question);
  const sibling = siblingFor(labelled, ways[0]?.[0], question);
  return sibling === undefined || ways.length === 0 ? undefined : { labelled, sibling, ways };
}

/**
 * The `switch` that a diagnostic is about: where the rest of its value is expected to be `never`,
 * in its `default` or after it; where a function lacks a return at its end, the last one of the
 * function.
 */
function switchOf(path: readonly ScriptNode[], { diagnostic }: RepairContext): ScriptNode | undefined {
  const isOfNever = ["2322", "2345", "1360"].includes(diagnostic.code) && / type 'never'/.test(diagnostic.message);
  if (isOfNever || diagnostic.code === "2454") {
    const clause = path.findLast((node) => node.type === "SwitchCase" && node["test"] === null);
    if (isOfNever && clause !== undefined) return path[path.indexOf(clause) - 1];
    return switchBefore(path);
  }
  if (!endsMissing.has(diagnostic.code) && !isFunctionWithGap(diagnostic)) return undefined;
  const holder = path.findLast(({ type }) => /Function|VariableDeclarator$|^(Property|MethodDefinition)$/.test(type));
  const value = (holder?.["init"] ?? holder?.["value"] ?? holder) as ScriptNode | undefined;
  const last = statementsOf(value?.["body"] as ScriptNode | undefined).at(-1);
  return last?.type === "SwitchStatement" ? last : undefined;
}

/** TypeScript's errors about a function that does not return a value on all paths. */
const endsMissing: ReadonlySet<string> = new Set(["2366", "7030"]);

/**
 * Whether a diagnostic is about a function that returns `undefined` on some path, which its type
 * does not include.
 */
function isFunctionWithGap({ code, message }: RepairContext["diagnostic"]): boolean {
  if (code !== "2322") return false;
  const types = message.split("undefined' is not assignable").slice(0, -1);
  return types.some((type) => type.endsWith("=> ") || (type.endsWith(" | ") && type.includes("=> ")));
}

/** The last `switch` before the innermost statement, in the same block. */
function switchBefore(path: readonly ScriptNode[]): ScriptNode | undefined {
  const block = path.findLast(({ type }) => type === "BlockStatement" || type === "Program");
  const { start } = path.at(-1)!;
  return statementsOf(block).findLast(({ type, end }) => type === "SwitchStatement" && end <= start);
}

function casesOf(around: ScriptNode | undefined): readonly ScriptNode[] {
  return (around?.["cases"] ?? []) as readonly ScriptNode[];
}

/**
 * The labels that the checker reports as missing, otherwise the members that the change added to
 * types of the existing labels.
 */
function waysFor(labelled: readonly ScriptNode[], question: RepairContext): readonly (readonly Label[])[] {
  const type = /[Tt]ype '([^']+)' (?:is not assignable|does not satisfy)/.exec(question.diagnostic.message)?.[1] ?? "";
  const left = type.split(" | ").map((one) => labelOfType(one, labelled, question));
  const areAllKnown = left.every((label) => label !== undefined);
  if (areAllKnown) return [left];
  const come = cameFor(labelled, question);
  if (come.length > maxChoices) return [];
  return come.length < 2 ? come.map((one) => [one]) : [come, ...come.map((one) => [one])];
}

/** The most labels to try where it is unknown which are missing. */
const maxChoices = 4;

function labelOfType(type: string, labelled: readonly ScriptNode[], { text }: RepairContext): Label | undefined {
  const literal = /^"((?:[^"\\]|\\.)+)"$/.exec(type)?.[1];
  if (literal !== undefined) return literalLabel(literal, labelled, text);
  if (/^-?\d+$/.test(type)) return { name: type, text: type };
  const member = /^[\w$.]+\.([\w$]+)$/.exec(type)?.[1];
  return member === undefined ? undefined : (memberLabel(member, labelled, text) ?? { name: member, text: type });
}

function cameFor(labelled: readonly ScriptNode[], { text, facts }: RepairContext): readonly Label[] {
  const names = new Set(labelled.map(nameOf));
  const isString = labelled.some((clause) => typeof testOf(clause)["value"] === "string");
  if (isString) {
    const come = [...(facts.literals?.added.keys() ?? [])].filter((literal) => !names.has(literal));
    return come.map((literal) => literalLabel(literal, labelled, text));
  }
  return [...(facts.added?.values() ?? [])].flat().flatMap(({ name, siblings }) => {
    const isListed = !names.has(name) && siblings.some((sibling) => names.has(sibling.name));
    return (isListed && memberLabel(name, labelled, text)) || [];
  });
}

function literalLabel(literal: string, labelled: readonly ScriptNode[], text: string): Label {
  const isSingle = labelled.some((clause) => text[testOf(clause).start] === "'") && !literal.includes("'");
  return { name: literal, text: isSingle ? `'${literal}'` : `"${literal}"` };
}

/** A label as a member of the object that the other labels are members of. */
function memberLabel(name: string, labelled: readonly ScriptNode[], text: string): Label | undefined {
  const like = labelled.map(testOf).find(({ type }) => type === "MemberExpression");
  return like && { name, text: `${text.slice(like.start, (like["property"] as ScriptNode).start)}${name}` };
}

function testOf(clause: ScriptNode): ScriptNode {
  return clause["test"] as ScriptNode;
}

/** The name in a label: a string, or the last name of `Kind.Circle`. */
function nameOf(clause: ScriptNode): string {
  const test = testOf(clause);
  if (test.type === "MemberExpression") return String((test["property"] as ScriptNode)["name"] ?? "");
  return String(test["value"] ?? "");
}

/**
 * The case after which the first label belongs by the order of its type, otherwise the last one;
 * neither falls through.
 */
function siblingFor(
  labelled: readonly ScriptNode[],
  label: Label | undefined,
  { facts }: RepairContext,
): ScriptNode | undefined {
  if (label === undefined) return undefined;
  const siblings = (facts.added?.get(label.name) ?? []).flatMap((member) => member.siblings.map(({ name }) => name));
  const previous = facts.literals?.added.get(label.name) ?? siblings[siblings.indexOf(label.name) - 1];
  const ended = labelled.filter(endsIn);
  return ended.find((clause) => previous !== undefined && nameOf(clause) === previous) ?? ended.at(-1);
}

function repairsIn(
  { sibling, labelled, ways }: Gap,
  { text }: RepairContext,
  certainty: Repair["certainty"],
  bodyFor: (label: Label) => string | undefined,
): readonly Repair[] {
  const between = gapBefore(sibling, labelled, text);
  const at = endOfLine(sibling.end, text);
  return ways.flatMap((labels) => {
    const bodies = labels.map(bodyFor);
    if (bodies.includes(undefined)) return [];
    const added = labels.map((label, index) => `${between}case ${label.text}${bodies[index]}`).join("");
    const about = labels.map((label) => `case ${label.text}`);
    return [{ certainty, edits: [{ start: at, end: at, text: added }], about }];
  });
}

/**
 * The text between a case and the one before it, or after the first: a line break, and an empty
 * line where there is one.
 */
function gapBefore(sibling: ScriptNode, labelled: readonly ScriptNode[], text: string): string {
  const index = labelled.indexOf(sibling);
  const [before, next] = index > 0 ? [labelled[index - 1]!, sibling] : [sibling, labelled[1]];
  const indent = /(?:^|\r?\n)[^\S\n]*$/.exec(text.slice(0, sibling.start))?.[0];
  if (indent === undefined) return " ";
  const isApart = next !== undefined && /\n[^\S\n]*\r?\n/.test(text.slice(before.end, next.start));
  return isApart ? `${/\r?\n/.exec(indent)?.[0] ?? "\n"}${indent}` : indent;
}

/** The end of the line, if only a comment follows on it. */
function endOfLine(place: number, text: string): number {
  const rest = /^[^\S\n]*(?:\/\/[^\r\n]*|\/\*[^\n]*\*\/)?(?=\r?\n|$)/.exec(text.slice(place))?.[0] ?? "";
  return place + rest.trimEnd().length;
}

/** A case's text after its label, colon included. */
function bodyOf(clause: ScriptNode, { text }: RepairContext): string {
  return text.slice(testOf(clause).end, clause.end);
}

/**
 * The body of a missing case: it throws an error that names the case, formatted like its sibling.
 */
function stubOf(name: string, sibling: ScriptNode, { text }: RepairContext): string {
  const [first] = statementsOf(sibling);
  const isBlock = first!.type === "BlockStatement";
  const inner = isBlock ? statementsOf(first) : statementsOf(sibling);
  const lead = withoutComments(text.slice(testOf(sibling).end, inner[0]!.start));
  const tail = isBlock ? withoutComments(text.slice(inner.at(-1)!.end, first!.end)) : "";
  const quote = /["']/.exec(text.slice(testOf(sibling).start, sibling.end))?.[0];
  const end = text[inner.at(-1)!.end - 1] === ";" ? ";" : "";
  return `${lead}throw new Error(${quoted(`Not implemented: ${name}`, quote)})${end}${tail}`;
}

function withoutComments(code: string): string {
  const parts = code.split(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/);
  return parts.map((part, index) => (index < parts.length - 1 ? part.trimEnd() : part)).join("");
}

/**
 * Removes a `case` for a string that no type lists any more, with its body, where neither it nor
 * the case before it falls through, unless its body is empty. Comments directly above it are
 * removed as well. Otherwise there is no repair.
 */
export const deadCase: RepairRule = ({ diagnostic, text, tree, facts }) => {
  if (diagnostic.code !== "2678") return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const depth = path.findLastIndex(({ type }) => type === "SwitchCase");
  const clause = path[depth];
  const test = clause?.["test"] as ScriptNode | null | undefined;
  if (
    clause === undefined ||
    typeof test?.["value"] !== "string" ||
    facts.literals?.removed.has(test["value"]) !== true
  )
    return [];
  const cases = path[depth - 1]!["cases"] as readonly ScriptNode[];
  const index = cases.indexOf(clause);
  const [before, next] = [cases[index - 1], cases[index + 1]];
  const isEmpty = statementsOf(clause).length === 0;
  const isAlone = (before === undefined || endsIn(before)) && (next === undefined || endsIn(clause));
  // A body that is shared with the next case belongs to that one; a label alone can be removed.
  if (!isAlone && !(isEmpty && next !== undefined)) return [];
  const lineStart = text.lastIndexOf("\n", clause.start) + 1;
  if (text.slice(lineStart, clause.start).trim() !== "") return [];
  const start = Math.max(before?.end ?? 0, startOfComments(text, lineStart));
  const from = text[start] === "\n" ? start + 1 : start;
  const end = text[clause.end] === "\n" ? clause.end + 1 : clause.end;
  return [{ certainty: "follows", edits: [{ start: from, end, text: "" }] }];
};

/**
 * The start of the comment lines directly above a line; the line's own start where there are none.
 */
function startOfComments(text: string, lineStart: number): number {
  let start = lineStart;
  while (start > 0) {
    const above = text.lastIndexOf("\n", start - 2) + 1;
    if (!/^[^\S\n]*\/\//.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}

/** Whether a case or a statement never continues to the code after it. */
function endsIn(node: ScriptNode): boolean {
  switch (node.type) {
    case "SwitchCase":
    case "BlockStatement": {
      const last = statementsOf(node).at(-1);
      return last !== undefined && endsIn(last);
    }
    case "IfStatement": {
      const other = node["alternate"] as ScriptNode | null;
      return other !== null && endsIn(other) && endsIn(node["consequent"] as ScriptNode);
    }
    default:
      return /^(Return|Throw|Break|Continue)Statement$/.test(node.type);
  }
}

/** The statements of a case or a block; none of other nodes. */
function statementsOf(node: ScriptNode | undefined): readonly ScriptNode[] {
  const list = node?.["consequent"] ?? node?.["body"];
  return Array.isArray(list) ? (list as readonly ScriptNode[]) : [];
}
