import { localValue } from "./local-value.ts";
import type { RepairRule } from "./repair.ts";
import { nodesAround, type ScriptNode } from "./script-nodes.ts";

/** `override` in front of a member, or away from it, where TypeScript's message asks for that. */
export const overrideWord: RepairRule = ({ finding, text, tree }) => {
  const isMissing = finding.code === "4114" || finding.code === "4116";
  if (!isMissing && finding.code !== "4113" && finding.code !== "4112") return [];
  const member = nodesAround(tree.program, finding.start, finding.end).findLast(({ type }) =>
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
 * `await` in front of a call that gives a promise now, where the function around is `async`: where what it gives is used, or where the
 * variable that is used gets its value.
 */
export const awaitWord: RepairRule = ({ finding, tree, facts }) => {
  const promised = facts.promised ?? new Set<string>();
  if (promised.size === 0 || ![finding.message, ...(finding.details ?? [])].some((one) => one.includes("Promise<")))
    return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const place = givenAt(path, depth);
    if (place?.call.type !== "CallExpression" || !promised.has(nameOfCall(place.call) ?? "")) continue;
    const { call, around } = place;
    const within = around.findLast(({ type }) =>
      /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(type),
    );
    if (within?.["async"] !== true || around.at(-1)?.type === "AwaitExpression") return [];
    const edits =
      around.at(-1)?.type !== "MemberExpression"
        ? [{ start: call.start, end: call.start, text: "await " }]
        : [
            { start: call.start, end: call.start, text: "(await " },
            { start: call.end, end: call.end, text: ")" },
          ];
    return [{ certainty: "follows", edits }];
  }
  return [];
};

/** What gives the value of the node at a depth, with the nodes around that: itself, the object of a member, or what a variable was declared with. */
function givenAt(
  path: readonly ScriptNode[],
  depth: number,
): { readonly call: ScriptNode; readonly around: readonly ScriptNode[] } | undefined {
  const node = path[depth]!;
  const parent = path[depth - 1];
  if (node.type === "CallExpression") return { call: node, around: path.slice(0, depth) };
  if (node.type === "VariableDeclarator" && node["init"])
    return { call: node["init"] as ScriptNode, around: path.slice(0, depth + 1) };
  const isMember = node.type === "MemberExpression";
  const value = isMember ? (node["object"] as ScriptNode) : node;
  if (isMember && value.type === "CallExpression") return { call: value, around: path.slice(0, depth + 1) };
  const isProperty = parent?.type === "MemberExpression" && parent["property"] === node && parent["computed"] !== true;
  if (value.type !== "Identifier" || isProperty) return undefined;
  const local = localValue(path.slice(0, depth), value["name"] as string);
  const { id, init } = (local?.declarator ?? {}) as { readonly id?: ScriptNode; readonly init?: ScriptNode | null };
  return local === undefined || id?.type !== "Identifier" || !init
    ? undefined
    : { call: init, around: [...local.path, local.declarator] };
}

function nameOfCall(call: ScriptNode): string | undefined {
  const callee = call["callee"] as ScriptNode;
  return (callee["name"] ?? (callee["property"] as ScriptNode | undefined)?.["name"]) as string | undefined;
}
