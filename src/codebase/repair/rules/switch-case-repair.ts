import type { Repair, RepairQuestion, RepairRule } from "../repair.ts";
import { quoted } from "../script/property-list.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";
import { saidAlike } from "./name-templates.ts";

/**
 * Adds the cases that a `switch` lacks since a type lists more, where all its cases do the like,
 * each of its own name: `case "ring": return drawRing();`.
 */
export const missingCase: RepairRule = (question) => {
  const gap = gapIn(question);
  if (gap === undefined) return [];
  const others = gap.labelled.map((clause) => ({ name: nameOf(clause), text: bodyOf(clause, question) }));
  const bodyFor = ({ name }: Label) => saidAlike(others, name);
  return repairsIn(gap, question, "follows", bodyFor);
};

/**
 * Adds the cases that a `switch` lacks since a type lists more; what they do is for a person to
 * say.
 */
export const missingCaseStub: RepairRule = (question) => {
  const gap = gapIn(question);
  if (gap === undefined) return [];
  return repairsIn(gap, question, "skeleton", ({ name }) => stubOf(name, gap.sibling, question));
};

/** A `switch` that lacks cases, and where they may stand. */
interface Gap {
  /** The cases that have a label. */
  readonly labelled: readonly ScriptNode[];
  /** One behind which a case may stand; nothing runs on from it. */
  readonly sibling: ScriptNode;
  /** What may be all that it lacks: rivals, of which types choose. */
  readonly ways: readonly (readonly Label[])[];
}

interface Label {
  readonly name: string;
  /** As it is behind `case`. */
  readonly text: string;
}

function gapIn(question: RepairQuestion): Gap | undefined {
  const { finding, tree } = question;
  const path = nodesAround(tree.program, finding.start, finding.end);
  const around = switchOf(path, question);
  const labelled = casesOf(around).filter((clause) => clause["test"] !== null);
  // Where one of them is no more, it may be that one under another name.
  const { literals, removed } = question.facts;
  if (labelled.map(nameOf).some((name) => literals?.gone.has(name) === true || removed.has(name))) return undefined;
  const ways = waysFor(labelled, question);
  const sibling = siblingFor(labelled, ways[0]?.[0], question);
  return sibling === undefined || ways.length === 0 ? undefined : { labelled, sibling, ways };
}

/**
 * The `switch` that a finding is about: where what is left of its value is said to be `never`, in
 * its `default` or behind it; where nothing is given or returned at the end, the one that ends the
 * function or is before.
 */
function switchOf(path: readonly ScriptNode[], { finding }: RepairQuestion): ScriptNode | undefined {
  const isOfNever = ["2322", "2345", "1360"].includes(finding.code) && / type 'never'/.test(finding.message);
  if (isOfNever || finding.code === "2454") {
    const clause = path.findLast((node) => node.type === "SwitchCase" && node["test"] === null);
    if (isOfNever && clause !== undefined) return path[path.indexOf(clause) - 1];
    return switchBefore(path);
  }
  if (!endsMissing.has(finding.code) && !isFunctionWithGap(finding)) return undefined;
  const holder = path.findLast(({ type }) => /Function|VariableDeclarator$|^(Property|MethodDefinition)$/.test(type));
  const value = (holder?.["init"] ?? holder?.["value"] ?? holder) as ScriptNode | undefined;
  const last = statementsOf(value?.["body"] as ScriptNode | undefined).at(-1);
  return last?.type === "SwitchStatement" ? last : undefined;
}

/** TypeScript's complaints that a function ends without giving what it has to. */
const endsMissing: ReadonlySet<string> = new Set(["2366", "7030"]);

/** Whether a function gives nothing now and then, and its type does not say so. */
function isFunctionWithGap({ code, message }: RepairQuestion["finding"]): boolean {
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
 * What the checker says is left, or else what came with the change to types that list what the
 * cases say.
 */
function waysFor(labelled: readonly ScriptNode[], question: RepairQuestion): readonly (readonly Label[])[] {
  const said = /[Tt]ype '([^']+)' (?:is not assignable|does not satisfy)/.exec(question.finding.message)?.[1] ?? "";
  const left = said.split(" | ").map((type) => labelOfType(type, labelled, question));
  const isSaid = left.every((label) => label !== undefined);
  if (isSaid) return [left];
  const come = cameFor(labelled, question);
  if (come.length > maxChoices) return [];
  return come.length < 2 ? come.map((one) => [one]) : [come, ...come.map((one) => [one])];
}

/** The most cases that it is tried of which are missing. */
const maxChoices = 4;

function labelOfType(type: string, labelled: readonly ScriptNode[], { text }: RepairQuestion): Label | undefined {
  const literal = /^"((?:[^"\\]|\\.)+)"$/.exec(type)?.[1];
  if (literal !== undefined) return literalLabel(literal, labelled, text);
  if (/^-?\d+$/.test(type)) return { name: type, text: type };
  const member = /^[\w$.]+\.([\w$]+)$/.exec(type)?.[1];
  return member === undefined ? undefined : (memberLabel(member, labelled, text) ?? { name: member, text: type });
}

function cameFor(labelled: readonly ScriptNode[], { text, facts }: RepairQuestion): readonly Label[] {
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

/** A member of what the other labels are members of. */
function memberLabel(name: string, labelled: readonly ScriptNode[], text: string): Label | undefined {
  const like = labelled.map(testOf).find(({ type }) => type === "MemberExpression");
  return like && { name, text: `${text.slice(like.start, (like["property"] as ScriptNode).start)}${name}` };
}

function testOf(clause: ScriptNode): ScriptNode {
  return clause["test"] as ScriptNode;
}

/** What a label says: a string, or the last name of `Kind.Circle`. */
function nameOf(clause: ScriptNode): string {
  const test = testOf(clause);
  if (test.type === "MemberExpression") return String((test["property"] as ScriptNode)["name"] ?? "");
  return String(test["value"] ?? "");
}

/**
 * The case behind which the first label belongs by the order of its type, or else the last one, as
 * far as nothing runs on from it.
 */
function siblingFor(
  labelled: readonly ScriptNode[],
  label: Label | undefined,
  { facts }: RepairQuestion,
): ScriptNode | undefined {
  if (label === undefined) return undefined;
  const siblings = (facts.added?.get(label.name) ?? []).flatMap((member) => member.siblings.map(({ name }) => name));
  const previous = facts.literals?.added.get(label.name) ?? siblings[siblings.indexOf(label.name) - 1];
  const ended = labelled.filter(endsIn);
  return ended.find((clause) => previous !== undefined && nameOf(clause) === previous) ?? ended.at(-1);
}

function repairsIn(
  { sibling, labelled, ways }: Gap,
  { text }: RepairQuestion,
  certainty: Repair["certainty"],
  bodyFor: (label: Label) => string | undefined,
): readonly Repair[] {
  const between = gapBefore(sibling, labelled, text);
  const at = endOfLine(sibling.end, text);
  return ways.flatMap((labels) => {
    const bodies = labels.map(bodyFor);
    if (bodies.includes(undefined)) return [];
    const said = labels.map((label, index) => `${between}case ${label.text}${bodies[index]}`).join("");
    const about = labels.map((label) => `case ${label.text}`);
    return [{ certainty, edits: [{ start: at, end: at, text: said }], about }];
  });
}

/**
 * The text between a case and the one before it, or behind the first: a line break, and an empty
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

/** The end of a line, where nothing but a remark is behind a place in it. */
function endOfLine(place: number, text: string): number {
  const rest = /^[^\S\n]*(?:\/\/[^\r\n]*|\/\*[^\n]*\*\/)?(?=\r?\n|$)/.exec(text.slice(place))?.[0] ?? "";
  return place + rest.trimEnd().length;
}

/** A case as it is behind its label, with the colon. */
function bodyOf(clause: ScriptNode, { text }: RepairQuestion): string {
  return text.slice(testOf(clause).end, clause.end);
}

/**
 * What a case does that nobody wrote yet: it tells that it is missing, laid out as its sibling is.
 */
function stubOf(name: string, sibling: ScriptNode, { text }: RepairQuestion): string {
  const [first] = statementsOf(sibling);
  const isBlock = first!.type === "BlockStatement";
  const inner = isBlock ? statementsOf(first) : statementsOf(sibling);
  const lead = withoutRemarks(text.slice(testOf(sibling).end, inner[0]!.start));
  const tail = isBlock ? withoutRemarks(text.slice(inner.at(-1)!.end, first!.end)) : "";
  const quote = /["']/.exec(text.slice(testOf(sibling).start, sibling.end))?.[0];
  const end = text[inner.at(-1)!.end - 1] === ";" ? ";" : "";
  return `${lead}throw new Error(${quoted(`Not implemented: ${name}`, quote)})${end}${tail}`;
}

function withoutRemarks(said: string): string {
  const parts = said.split(/\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/);
  return parts.map((part, index) => (index < parts.length - 1 ? part.trimEnd() : part)).join("");
}

/**
 * Takes out a `case` for a string that no type lists any more, with what only it does: where the
 * case before it does not run into it, nor it into the next, unless it does nothing of its own.
 * Remarks right above it go, too.
 */
export const deadCase: RepairRule = ({ finding, text, tree, facts }) => {
  if (finding.code !== "2678") return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
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
  // What runs into the next case is that one's, and a label alone belongs to none.
  if (!isAlone && !(isEmpty && next !== undefined)) return [];
  const lineStart = text.lastIndexOf("\n", clause.start) + 1;
  if (text.slice(lineStart, clause.start).trim() !== "") return [];
  const start = Math.max(before?.end ?? 0, startOfComments(text, lineStart));
  const from = text[start] === "\n" ? start + 1 : start;
  const end = text[clause.end] === "\n" ? clause.end + 1 : clause.end;
  return [{ certainty: "follows", edits: [{ start: from, end, text: "" }] }];
};

/**
 * Where the comment lines begin that stand directly above a line; its own start where there are
 * none.
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

/** Whether a case, or a statement, never runs on to the text behind it. */
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

/** The statements of a case or a block; none of what is neither. */
function statementsOf(node: ScriptNode | undefined): readonly ScriptNode[] {
  const list = node?.["consequent"] ?? node?.["body"];
  return Array.isArray(list) ? (list as readonly ScriptNode[]) : [];
}
