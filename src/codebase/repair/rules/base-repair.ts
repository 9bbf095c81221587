import type { RepairQuestion, RepairRule } from "../repair.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";
import { followedBase } from "./base-signature.ts";
import { aboutArguments } from "./call-repair.ts";

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
