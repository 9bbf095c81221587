import type { TextEdit } from "../../../text/text-edit.ts";
import type { CodeBlock } from "../../graph/code-block.ts";
import type { ScriptTree } from "../../graph/script-tree.ts";
import { type CallChange, functionOf, parametersOf } from "../facts/call-changes.ts";
import type { ChangeFacts } from "../facts/change-facts.ts";
import type { RepairQuestion, RepairRule } from "../repair.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";
import { aboutArguments } from "./call-repair.ts";

/**
 * What {@link followBase} says of a block that is in for a member of its name whose signature
 * changed.
 */
export function followedBase(
  { block, text }: { readonly block: CodeBlock; readonly text: string },
  facts: ChangeFacts,
  tree: ScriptTree,
): TextEdit | undefined {
  const change = facts.calls?.get(block.simpleName);
  const member = functionOf(block, { text, tree });
  return change && member && followBase(member.node, text, change);
}

/**
 * Gives a member that is in for another one the parameters that this one has now: `undefined`
 * unless it had those that the other one had, but for names of its own and defaults.
 *
 * What it needs of the new ones or not, all are written: the next one who overrides it finds them.
 */
function followBase(member: ScriptNode, text: string, { before, after }: CallChange): TextEdit | undefined {
  const own = parametersOf({ node: member, text });
  const types = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type.replaceAll(/\s+/g, ""));
  if (own.length !== before.length || types(own).some((type, index) => type !== types(before)[index])) return undefined;
  const kept = new Map(before.map(({ name }, index) => [name, own[index]!.text] as const));
  const isSame = (name: string) => {
    const old = before.find((one) => one.name === name);
    const now = after.find((one) => one.name === name);
    return old !== undefined && now !== undefined && old.text === now.text;
  };
  // An implementation has no need of defaults that only the base gives.
  const wanted = after.map((one) => (one.name !== "" && isSame(one.name) ? kept.get(one.name)! : one.text)).join(", ");
  const params = member["params"] as readonly ScriptNode[];
  const start = params[0]?.start ?? text.indexOf("(", member.start) + 1;
  const end = params.at(-1)?.end ?? start;
  return text.slice(start, end) === wanted ? undefined : { start, end, text: wanted };
}

/**
 * Gives a member the parameters that its base or its interface asks for now, where it had those
 * that it asked for before.
 *
 * A member that takes fewer than its base does is right as it is, unless it hands them on to the
 * base: then the call alone is wrong, and what it lacks has to come in by the member's own
 * parameters.
 */
export const baseSignature: RepairRule = (question) => {
  // "Property 'run' in type 'Own' is not assignable to the same property in base type 'Base'."
  if (question.finding.code !== "2416" && !isInCallOfBase(question)) return [];
  const edit = followedBase(question, question.facts, question.tree);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * Whether a finding is about what a member gives to the member of its base that it is in for:
 * `super.run(name)` in `run`.
 */
function isInCallOfBase({ finding, tree, block }: RepairQuestion): boolean {
  if (!aboutArguments.has(finding.code)) return false;
  return nodesAround(tree.program, finding.start, finding.end).some((node) => {
    const callee = node.type === "CallExpression" ? (node["callee"] as ScriptNode) : undefined;
    return (
      callee?.type === "MemberExpression" &&
      (callee["object"] as ScriptNode).type === "Super" &&
      (callee["property"] as ScriptNode)["name"] === block.simpleName
    );
  });
}
