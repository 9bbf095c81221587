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

/** `await` in front of a call that gives a promise now, where the function around is `async` and what was given is used. */
export const awaitWord: RepairRule = ({ finding, tree, facts }) => {
  const promised = facts.promised ?? new Set<string>();
  if (promised.size === 0 || ![finding.message, ...(finding.details ?? [])].some((one) => one.includes("Promise<")))
    return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  for (const [index, call] of [...path.entries()].reverse()) {
    if (call.type !== "CallExpression" && call.type !== "MemberExpression") continue;
    const inner = call.type === "MemberExpression" ? (call["object"] as ScriptNode) : call;
    if (inner.type !== "CallExpression" || !promised.has(nameOfCall(inner) ?? "")) continue;
    const parents = path.slice(0, index + (inner === call ? 0 : 1));
    const around = parents.findLast(({ type }) =>
      /^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(type),
    );
    if (around?.["async"] !== true || parents.at(-1)?.type === "AwaitExpression") return [];
    const bare = inner === call && parents.at(-1)?.type !== "MemberExpression";
    const edits = bare
      ? [{ start: inner.start, end: inner.start, text: "await " }]
      : [
          { start: inner.start, end: inner.start, text: "(await " },
          { start: inner.end, end: inner.end, text: ")" },
        ];
    return [{ certainty: "follows", edits }];
  }
  return [];
};

function nameOfCall(call: ScriptNode): string | undefined {
  const callee = call["callee"] as ScriptNode;
  return (callee["name"] ?? (callee["property"] as ScriptNode | undefined)?.["name"]) as string | undefined;
}
