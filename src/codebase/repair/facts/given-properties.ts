import type { NodeInText } from "../script/node-pattern.ts";
import { hasProperties, propertiesOf } from "../script/property-list.ts";
import { childrenOf, type ScriptNode } from "../script/script-nodes.ts";

/** What was changed where, before and after. */
export interface NodeChange {
  readonly before: NodeInText;
  readonly after: NodeInText;
}

/**
 * What changes gave to properties that were not there before, where that is the same everywhere and
 * says nothing of its place: a literal, or an empty list or object. By the properties' names.
 */
export function givenProperties(changes: readonly NodeChange[]): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { before, after } of changes) {
    const walk = (old: ScriptNode, now: ScriptNode): void => {
      if (saidIn(before, old) === saidIn(after, now) || old.type !== now.type) return;
      if (hasProperties(old)) {
        const had = new Set(propertiesOf(old).map(({ name }) => name));
        for (const { name, value } of propertiesOf(now)) {
          if (name === undefined || value === undefined || had.has(name)) continue;
          found.set(name, (found.get(name) ?? new Set()).add(isConstant(value) ? saidIn(after, value) : ""));
        }
      }
      for (const [one, other] of alignedChildren(old, now, before, after)) walk(one, other);
    };
    walk(before.node, after.node);
  }
  return new Map(
    [...found].flatMap(([name, [value, ...others]]) => (value && others.length === 0 ? [[name, value] as const] : [])),
  );
}

/**
 * The children that belong together: all in order, or those that stayed the only ones of their kind
 * when equal ones are left out.
 */
function alignedChildren(
  old: ScriptNode,
  now: ScriptNode,
  before: NodeInText,
  after: NodeInText,
): readonly (readonly [ScriptNode, ScriptNode])[] {
  let [left, right] = [[...childrenOf(old)], [...childrenOf(now)]];
  if (left.length !== right.length) {
    const [olds, news] = [
      new Set(left.map((one) => saidIn(before, one))),
      new Set(right.map((one) => saidIn(after, one))),
    ];
    left = left.filter((one) => !news.has(saidIn(before, one)));
    right = right.filter((one) => !olds.has(saidIn(after, one)));
  }
  return left.length === right.length ? left.map((one, index) => [one, right[index]!] as const) : [];
}

function isConstant(value: ScriptNode): boolean {
  switch (value.type) {
    case "Literal":
      return true;
    case "Identifier":
      return value["name"] === "undefined";
    case "UnaryExpression":
      return isConstant(value["argument"] as ScriptNode);
    case "ArrayExpression":
      return (value["elements"] as readonly unknown[]).length === 0;
    case "ObjectExpression":
      return (value["properties"] as readonly unknown[]).length === 0;
    default:
      return false;
  }
}

function saidIn({ text }: NodeInText, { start, end }: ScriptNode): string {
  return text.slice(start, end);
}
