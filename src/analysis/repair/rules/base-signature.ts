import type { ScriptTree } from "../../../names/index.ts";
import { nodesAround, type ScriptNode } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import type { CodeBlock } from "../../graph/code-block.ts";
import { type CallChange, functionOf, parameterNodes, parametersOf } from "../facts/call-changes.ts";
import type { ChangeFacts } from "../facts/change-facts.ts";
import type { RepairContext, RepairRule } from "../repair.ts";
import { aboutArguments } from "./call-repair.ts";

/**
 * Gives a block the new parameters of the member that it overrides or implements. `text` and the
 * offsets of the edit are those of the block's file.
 *
 * `undefined` where `facts` have no changed signature of a member of the block's name, where the
 * block is no function or has overloads, and where its parameters are not the old ones of that
 * member or are the new ones already.
 */
export function baseSignatureEdit(
  { block, text }: { readonly block: CodeBlock; readonly text: string },
  facts: ChangeFacts,
  tree: ScriptTree,
): TextEdit | undefined {
  const change = facts.calls?.get(block.simpleName);
  const member = functionOf(block, { text, tree });
  return change && member && followBase(member.node, text, change);
}

/**
 * Gives an overriding or implementing member the new parameters of the base member. `undefined`
 * unless it had the old ones, apart from names and defaults.
 *
 * All new parameters are written, even unused ones, so that further overrides see the whole
 * signature.
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
  // An implementation needs no defaults of its base.
  const wanted = after.map((one) => (one.name !== "" && isSame(one.name) ? kept.get(one.name)! : one.text)).join(", ");
  const params = parameterNodes(member);
  const [self] = member["params"] as readonly ScriptNode[];
  const start = params[0]?.start ?? self?.end ?? text.indexOf("(", member.start) + 1;
  const end = params.at(-1)?.end ?? start;
  const isBehindThis = params.length === 0 && self !== undefined && wanted !== "";
  return text.slice(start, end) === wanted ? undefined : { start, end, text: isBehindThis ? `, ${wanted}` : wanted };
}

/**
 * Gives a member the parameters that its base class or interface declares now, where it had those
 * declared before; otherwise there is no repair.
 *
 * A member with fewer parameters than its base is valid, unless it passes them on to `super`: then
 * the diagnostic is at that call, and the missing parameters have to be added to the member.
 */
export const baseSignature: RepairRule = (question) => {
  // "Property 'run' in type 'Own' is not assignable to the same property in base type 'Base'."
  if (question.diagnostic.code !== "2416" && !isInCallOfBase(question)) return [];
  const edit = baseSignatureEdit(question, question.facts, question.tree);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * Whether a diagnostic is about the arguments of a call of the overridden member: `super.run(name)`
 * in `run`.
 */
function isInCallOfBase({ diagnostic, tree, block }: RepairContext): boolean {
  if (!aboutArguments.has(diagnostic.code)) return false;
  return nodesAround(tree.program, diagnostic.start, diagnostic.end).some((node) => {
    const callee = node.type === "CallExpression" ? (node["callee"] as ScriptNode) : undefined;
    return (
      callee?.type === "MemberExpression" &&
      (callee["object"] as ScriptNode).type === "Super" &&
      (callee["property"] as ScriptNode)["name"] === block.simpleName
    );
  });
}
