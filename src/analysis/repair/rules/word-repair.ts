import type { ScriptTree } from "../../../names/index.ts";
import { nodesAround, type ScriptNode } from "../../../names/index.ts";
import type { RepairRule } from "../repair.ts";
import { declarationOf } from "../script/binding-uses.ts";

/**
 * Adds `override` to a member, or removes it, where TypeScript's message requires that; otherwise
 * there is no repair.
 */
export const overrideWord: RepairRule = ({ diagnostic, text, tree }) => {
  const isMissing = diagnostic.code === "4114" || diagnostic.code === "4116";
  if (!isMissing && diagnostic.code !== "4113" && diagnostic.code !== "4112") return [];
  const member = nodesAround(tree.program, diagnostic.start, diagnostic.end).findLast(({ type }) =>
    /^(Method|Property|TSAbstract\w*)Definition$/.test(type),
  );
  if (member === undefined) return [];
  if (isMissing) {
    const words = /^(?:(?:public|private|protected|static|abstract)\s+)*/.exec(text.slice(member.start))![0];
    const at = member.start + words.length;
    return [{ certainty: "follows", edits: [{ start: at, end: at, text: "override " }] }];
  }
  const word = /^((?:\w+\s+)*?)override\s+/.exec(text.slice(member.start, (member["key"] as ScriptNode).start));
  if (word === null) return [];
  const start = member.start + word[1]!.length;
  return [{ certainty: "follows", edits: [{ start, end: member.start + word[0].length, text: "" }] }];
};

/**
 * Adds `await` to a call that returns a promise since the change, in an `async` function: where its
 * result is used, or at the declaration of the variable that is used. No repair outside of `async`
 * functions.
 */
export const awaitWord: RepairRule = ({ diagnostic, tree, facts }) => {
  const promised = facts.promised ?? new Set<string>();
  const isOfPromise = [diagnostic.message, ...(diagnostic.details ?? [])].some((one) => one.includes("Promise<"));
  if (promised.size === 0 || !(isOfPromise || noNumber.has(diagnostic.code))) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const depths = path.map((_, depth) => givenAt(tree, path, depth)).reverse();
  for (const place of [...operandsAt(tree, path), ...depths]) {
    if (place?.call.type !== "CallExpression" || !promised.has(nameOfCall(place.call) ?? "")) continue;
    const { call, around } = place;
    const within = around.findLast(({ type }) =>
      /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(type),
    );
    if (within?.["async"] !== true || around.at(-1)?.type === "AwaitExpression") return [];
    const edits = !bindsTighter(around.at(-1), call)
      ? [{ start: call.start, end: call.start, text: "await " }]
      : [
          { start: call.start, end: call.start, text: "(await " },
          { start: call.end, end: call.end, text: ")" },
        ];
    return [{ certainty: "follows", edits }];
  }
  return [];
};

/** Whether the parent would bind to a value before an added `await` does. */
function bindsTighter(parent: ScriptNode | undefined, value: ScriptNode): boolean {
  if (parent?.type === "MemberExpression") return parent["object"] === value;
  if (parent?.type === "CallExpression") return parent["callee"] === value;
  return parent?.type === "BinaryExpression" && parent["operator"] === "**" && parent["left"] === value;
}

/** TypeScript's errors about an operand that is no number; they do not name the operand's type. */
const noNumber: ReadonlySet<string> = new Set(["2362", "2363"]);

interface GivenPlace {
  readonly call: ScriptNode;
  readonly around: readonly ScriptNode[];
}

/** The origins of both operands of the innermost operation, where the diagnostic is about both. */
function operandsAt(tree: ScriptTree, path: readonly ScriptNode[]): readonly (GivenPlace | undefined)[] {
  const { type, ...node } = path.at(-1)!;
  if (type !== "BinaryExpression") return [];
  return [node["left"], node["right"]].map((side) => givenAt(tree, [...path, side as ScriptNode], path.length));
}

/**
 * The origin of the value at a depth of a path, with its own path: the value itself, the object of
 * a member, or the initializer of a variable.
 */
function givenAt(tree: ScriptTree, path: readonly ScriptNode[], depth: number): GivenPlace | undefined {
  const node = path[depth]!;
  const parent = path[depth - 1];
  if (node.type === "CallExpression") return { call: node, around: path.slice(0, depth) };
  if (node.type === "VariableDeclarator" && node["init"])
    return { call: node["init"] as ScriptNode, around: path.slice(0, depth + 1) };
  if (node.type === "AssignmentExpression" && node["operator"] === "=")
    return { call: node["right"] as ScriptNode, around: path.slice(0, depth + 1) };
  const isMember = node.type === "MemberExpression";
  const value = isMember ? (node["object"] as ScriptNode) : node;
  if (isMember && value.type === "CallExpression") return { call: value, around: path.slice(0, depth + 1) };
  const isProperty = parent?.type === "MemberExpression" && parent["property"] === node && parent["computed"] !== true;
  if (value.type !== "Identifier" || isProperty) return undefined;
  const around = declarationOf(tree, value);
  const { id, init } = (around?.at(-1) ?? {}) as { readonly id?: ScriptNode; readonly init?: ScriptNode | null };
  return around === undefined || id?.type !== "Identifier" || !init ? undefined : { call: init, around };
}

function nameOfCall(call: ScriptNode): string | undefined {
  const callee = call["callee"] as ScriptNode;
  return (callee["name"] ?? (callee["property"] as ScriptNode | undefined)?.["name"]) as string | undefined;
}

/**
 * Removes `readonly` from the type of a parameter that is passed to code that may write to it now;
 * no repair where the type is not written at the parameter. This has no effect at run time, and the
 * checker reports callers that pass a readonly value.
 */
export const readonlyWord: RepairRule = ({ diagnostic, text, tree }) => {
  const isReadonly = /is 'readonly' and cannot be assigned to the mutable type/;
  if (![diagnostic.message, ...(diagnostic.details ?? [])].some((one) => isReadonly.test(one))) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const value = path.at(-1)!;
  const property = path.findLast(({ type }) => type === "Property");
  const given = property?.["key"] === value ? (property["value"] as ScriptNode) : value;
  const type = typeOf(given, tree);
  if (type?.type !== "TSTypeOperator" || type["operator"] !== "readonly") return [];
  const inner = type["typeAnnotation"] as ScriptNode;
  return text.slice(type.start, inner.start).trim() === "readonly"
    ? [{ certainty: "follows", edits: [{ start: type.start, end: inner.start, text: "" }] }]
    : [];
};

/** The declared type of a parameter, or of a member of one, with its position. */
function typeOf(value: ScriptNode, tree: ScriptTree): ScriptNode | undefined {
  if (value.type === "MemberExpression" && value["computed"] !== true) {
    const owner = typeOf(value["object"] as ScriptNode, tree);
    return memberType(owner, (value["property"] as ScriptNode)["name"]);
  }
  const name = value["name"];
  if (value.type !== "Identifier" || typeof name !== "string") return undefined;
  const around = declarationOf(tree, value);
  const declaring = around?.at(-1);
  if (declaring?.type === "VariableDeclarator") {
    const { id, init } = declaring as unknown as { readonly id: ScriptNode; readonly init: ScriptNode | null };
    const isConstant = around!.at(-2)!["kind"] === "const";
    const key = id.type === "ObjectPattern" && isConstant ? keyTaken(id, name) : undefined;
    return key === undefined || init === null ? undefined : memberType(typeOf(init, tree), key);
  }
  for (const one of (declaring?.["params"] ?? []) as readonly ScriptNode[]) {
    const pattern = (one.type === "AssignmentPattern" ? one["left"] : one) as ScriptNode;
    const annotation = pattern["typeAnnotation"] as ScriptNode | null | undefined;
    const type = annotation?.["typeAnnotation"] as ScriptNode | undefined;
    if (pattern.type === "Identifier" && pattern["name"] === name) return type;
    const key = pattern.type === "ObjectPattern" ? keyTaken(pattern, name) : undefined;
    if (key !== undefined) return memberType(type, key);
  }
  return undefined;
}

/** The key that a pattern binds to a name. */
function keyTaken(pattern: ScriptNode, name: string): string | undefined {
  const property = (pattern["properties"] as readonly ScriptNode[]).find((one) => {
    const value = one["value"] as ScriptNode | undefined;
    return ((value?.type === "AssignmentPattern" ? value["left"] : value) as ScriptNode | undefined)?.["name"] === name;
  });
  return property?.["computed"] === true
    ? undefined
    : ((property?.["key"] as ScriptNode | undefined)?.["name"] as string | undefined);
}

function memberType(type: ScriptNode | undefined, name: unknown): ScriptNode | undefined {
  if (type?.type !== "TSTypeLiteral") return undefined;
  const member = (type["members"] as readonly ScriptNode[]).find(
    (one) => one.type === "TSPropertySignature" && (one["key"] as ScriptNode)["name"] === name,
  );
  return (member?.["typeAnnotation"] as ScriptNode | null | undefined)?.["typeAnnotation"] as ScriptNode | undefined;
}
