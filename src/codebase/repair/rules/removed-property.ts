import type { CallChange } from "../facts/call-changes.ts";
import type { ChangeFacts } from "../facts/change-facts.ts";
import type { RepairRule } from "../repair.ts";
import { calledName } from "../script/called-name.ts";
import { handsOn, propertiesOf, withoutProperty } from "../script/property-list.ts";
import { isPure } from "../script/pure-expression.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";

/**
 * Takes a property out of a literal, or an attribute out of an element, whose type lost that member
 * and changed in no other way. In the arguments of a function that asks for it no more, any value
 * goes that does nothing but give a value, as an argument would. Elsewhere only the same member of
 * something else goes (`size: node.size`), for any other value says what somebody wants, and is not
 * ours to drop.
 */
export const removedProperty: RepairRule = ({ finding, text, tree, facts }) => {
  if (!/^(2322|2353|2561)$/.test(finding.code)) return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const isAttribute = finding.code === "2322";
  const owner = path.findLast(({ type }) => type === (isAttribute ? "JSXOpeningElement" : "ObjectExpression"));
  const property = owner && propertiesOf(owner).find(({ node }) => node.start === finding.start);
  const { name, value, node } = property ?? {};
  if (owner === undefined || name === undefined || value === undefined || facts.renamed.has(name)) return [];
  const isDropped = facts.dropped?.has(name) === true && handsOn(value, name);
  const isAsked = isAttribute || !isPure(value) || !isAskedForNoMore(name, owner, path, facts);
  if (!isDropped && isAsked) return [];
  const edit = withoutProperty(owner, node!, text);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * Whether a literal is the argument of a function whose parameter lost a member of this name and
 * changed in no other way.
 */
function isAskedForNoMore(name: string, literal: ScriptNode, path: readonly ScriptNode[], facts: ChangeFacts): boolean {
  const call = path[path.indexOf(literal) - 1];
  if (call?.type !== "CallExpression" && call?.type !== "NewExpression") return false;
  const change = facts.calls?.get(calledName(call, path) ?? "");
  const place = (call["arguments"] as readonly ScriptNode[]).indexOf(literal);
  if (change === undefined || place < 0 || change.before.length !== change.after.length) return false;
  const namesIn = (parameters: CallChange["before"]) => parameters[place]?.members?.map((member) => member.name);
  const [before, after] = [namesIn(change.before), namesIn(change.after)];
  return (
    before?.includes(name) === true && after?.includes(name) === false && after.every((one) => before.includes(one))
  );
}
