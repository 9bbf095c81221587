import { lostMember } from "./lost-member.ts";
import type { RepairQuestion } from "./repair.ts";
import { childrenOf, nodesAround, outerFunction, type ScriptNode } from "./script/script-nodes.ts";

/**
 * Whether a member that is no more is all that the function around gives: every value it returns is
 * read off that, or is nothing.
 *
 * Such a function has lost what it was for, so its callers change with it.
 */
export function isOnlyReturnedMember({ finding, tree }: Pick<RepairQuestion, "finding" | "tree">): boolean {
  if (!lostMember.has(finding.code)) return false;
  const path = nodesAround(tree.program, finding.start, finding.end);
  const around = outerFunction(path);
  if (around === undefined) return false;
  const member = path.at(-2);
  const given = givenBy(around).filter((value) => !isNothing(value));
  return given.length > 0 && given.every((value) => isReadOff(value, member));
}

/** The values that a function returns. */
function givenBy(around: ScriptNode): ScriptNode[] {
  const body = around["body"] as ScriptNode;
  return body.type === "BlockStatement" ? returnedIn(body) : [body];
}

function returnedIn(node: ScriptNode): ScriptNode[] {
  if (node.type.includes("Function") || node.type.startsWith("Class")) return [];
  if (node.type === "ReturnStatement") return node["argument"] === null ? [] : [node["argument"] as ScriptNode];
  return Array.from(childrenOf(node)).flatMap(returnedIn);
}

/**
 * Whether a value is a member, or comes out of it: `a.gone.alias`, `await a.gone.read()`,
 * `a.gone!`.
 */
function isReadOff(value: ScriptNode, member: ScriptNode | undefined): boolean {
  for (let at: ScriptNode | undefined = value; at !== undefined; at = insideOf(at)) if (at === member) return true;
  return false;
}

function insideOf(value: ScriptNode): ScriptNode | undefined {
  const inside =
    value["object"] ??
    value["callee"] ??
    (wrappers.has(value.type) ? (value["expression"] ?? value["argument"]) : undefined);
  return (inside ?? undefined) as ScriptNode | undefined;
}

const wrappers: ReadonlySet<string> = new Set([
  ...["AwaitExpression", "ChainExpression", "ParenthesizedExpression"],
  ...["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"],
]);

function isNothing({ type, ...node }: ScriptNode): boolean {
  if (type === "Identifier") return node["name"] === "undefined";
  return type === "Literal" || (type === "ArrayExpression" && (node["elements"] as readonly unknown[]).length === 0);
}
