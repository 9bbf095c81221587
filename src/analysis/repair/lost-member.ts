import { childrenOf, nodesAround, type ScriptNode } from "../../names/index.ts";
import type { RepairContext } from "./repair.ts";
import { argumentsIn, outerFunction } from "./script/script-nodes.ts";

/** TypeScript's errors about a member that does not exist. */
export const lostMember: ReadonlySet<string> = new Set(["2339", "2551"]);

/**
 * Whether a removed member is all that the enclosing function returns: every returned value is read
 * from it, or is nothing. False for a diagnostic about anything else, and outside of functions.
 *
 * Such a function has lost its purpose, so its callers change with it.
 */
export function isOnlyReturnedMember({ diagnostic, tree }: Pick<RepairContext, "diagnostic" | "tree">): boolean {
  if (!lostMember.has(diagnostic.code)) return false;
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const around = outerFunction(path);
  if (around === undefined) return false;
  const member = path.at(-2);
  const given = returnedValues(around).filter((value) => !isNothing(value));
  return given.length > 0 && given.every((value) => isReadOff(value, member));
}

function returnedValues(around: ScriptNode): ScriptNode[] {
  const body = around["body"] as ScriptNode;
  return body.type === "BlockStatement" ? returnedIn(body) : [body];
}

function returnedIn(node: ScriptNode): ScriptNode[] {
  if (node.type.includes("Function") || node.type.startsWith("Class")) return [];
  if (node.type === "ReturnStatement") return node["argument"] === null ? [] : [node["argument"] as ScriptNode];
  return Array.from(childrenOf(node)).flatMap(returnedIn);
}

/**
 * Whether a value is a member, or is read from it: `a.gone.alias`, `await a.gone.read()`,
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

/**
 * TypeScript's errors about a value that is not assignable, or about a wrong number of arguments.
 */
const notAssignable: ReadonlySet<string> = new Set(["2322", "2345", "2554", "2739", "2740", "2741", "2769"]);

/**
 * Whether the value that causes a diagnostic comes from the callers of the enclosing function: it
 * is computed from a parameter, or a removed member is compared with one. False for diagnostics
 * about anything but values, arguments and members, and outside of functions.
 *
 * Such a function can rarely be repaired alone, so its callers change with it.
 */
export function comesFromParameter({ diagnostic, tree }: Pick<RepairContext, "diagnostic" | "tree">): boolean {
  const isMissing = lostMember.has(diagnostic.code);
  if (!isMissing && !notAssignable.has(diagnostic.code)) return false;
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const around = outerFunction(path);
  if (around === undefined) return false;
  const given = derivedNames(around);
  const values = isMissing
    ? comparedAt(path)
    : [...valueAt(path), ...path.slice(-1).flatMap((last) => argumentsIn(last, diagnostic))];
  return values.some((value) => mentions(value, given));
}

/** The operands that the member at the end of a path is compared with. */
function comparedAt(path: readonly ScriptNode[]): readonly ScriptNode[] {
  const [comparison, member] = path.slice(-3);
  if (comparison?.type !== "BinaryExpression" || member?.type !== "MemberExpression") return [];
  if (!/^[!=]==?$/.test(comparison["operator"] as string)) return [];
  return [(comparison["left"] === member ? comparison["right"] : comparison["left"]) as ScriptNode];
}

/** The names of a function's parameters, and of the constants derived from them. */
function derivedNames(around: ScriptNode): ReadonlySet<string> {
  const given = new Set((around["params"] as readonly ScriptNode[]).flatMap(boundNames));
  const statements = ((around["body"] as ScriptNode | null)?.["body"] ?? []) as readonly ScriptNode[];
  for (const statement of Array.isArray(statements) ? statements : []) {
    if (statement.type !== "VariableDeclaration") continue;
    for (const declared of statement["declarations"] as readonly ScriptNode[]) {
      const value = declared["init"] as ScriptNode | null;
      if (value !== null && comesFrom(value, given))
        for (const name of boundNames(declared["id"] as ScriptNode)) given.add(name);
    }
  }
  return given;
}

/** The names that a pattern or a parameter binds, in text order. */
function boundNames(pattern: ScriptNode): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern["name"] as string];
    case "TSParameterProperty":
      return boundNames(pattern["parameter"] as ScriptNode);
    case "AssignmentPattern":
      return boundNames(pattern["left"] as ScriptNode);
    case "RestElement":
      return boundNames(pattern["argument"] as ScriptNode);
    case "ObjectPattern":
      return (pattern["properties"] as readonly ScriptNode[]).flatMap((one) =>
        boundNames((one["value"] ?? one["argument"]) as ScriptNode),
      );
    case "ArrayPattern":
      return (pattern["elements"] as readonly (ScriptNode | null)[]).flatMap((one) =>
        one === null ? [] : boundNames(one),
      );
    default:
      return [];
  }
}

/** Whether a value is one of these names, a member of one, or the result of a method of one. */
function comesFrom(value: ScriptNode, given: ReadonlySet<string>): boolean {
  switch (value.type) {
    case "Identifier":
      return given.has(value["name"] as string);
    case "MemberExpression":
      return comesFrom(value["object"] as ScriptNode, given);
    case "CallExpression":
      return comesFrom(value["callee"] as ScriptNode, given);
    default:
      return false;
  }
}

/**
 * The value that a diagnostic is about: the assigned value where the diagnostic is at the target of
 * an assignment.
 */
function valueAt(path: readonly ScriptNode[]): readonly ScriptNode[] {
  const assignment = path.findLast(({ type }) => type === "AssignmentExpression" || type === "VariableDeclarator");
  const last = path.slice(-1);
  if (assignment === undefined) return last;
  const target = (assignment["left"] ?? assignment["id"]) as ScriptNode;
  if (last.every(({ start, end }) => start < target.start || target.end < end)) return last;
  const value = (assignment["right"] ?? assignment["init"]) as ScriptNode | null | undefined;
  return value === null || value === undefined ? [] : [value];
}

/**
 * Whether an expression contains one of these names, other than as a member's name or within a
 * nested function.
 */
function mentions(node: ScriptNode, names: ReadonlySet<string>): boolean {
  if (node.type === "Identifier") return names.has(node["name"] as string);
  if (node.type.endsWith("FunctionExpression") || node.type === "CallExpression") return false;
  if (node.type === "MemberExpression" && node["computed"] !== true)
    return mentions(node["object"] as ScriptNode, names);
  if (node.type === "Property") return mentions(node["value"] as ScriptNode, names);
  for (const child of childrenOf(node)) if (mentions(child, names)) return true;
  return false;
}
