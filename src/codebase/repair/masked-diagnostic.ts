import type { TypeDiagnostic } from "../graph/reference.ts";
import type { ScriptTree } from "../graph/script-tree.ts";
import { nodesAround, type ScriptNode } from "./script/script-nodes.ts";

/**
 * Whether a finding is about how what these names mean is used: the arguments of a call, the
 * attributes of an element, what a type is given. As long as a name means nothing, the checker says
 * nothing of that.
 */
export function isMaskedBy(names: ReadonlySet<string>, { start, end }: TypeDiagnostic, tree: ScriptTree): boolean {
  return nodesAround(tree.program, start, end).some((node) => {
    const used = usedIn(node);
    return typeof used?.["name"] === "string" && names.has(used["name"]);
  });
}

function usedIn(node: ScriptNode): ScriptNode | undefined {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return node["callee"] as ScriptNode;
    case "JSXOpeningElement":
      return node["name"] as ScriptNode;
    case "TSTypeReference":
      return node["typeName"] as ScriptNode;
    case "TSClassImplements":
    case "TSInterfaceHeritage":
      return node["expression"] as ScriptNode;
    default:
      return undefined;
  }
}
