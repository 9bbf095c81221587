import type { ScriptNode } from "../script/script-nodes.ts";

/** Whether a case, or a statement, never runs on to the text behind it. */
export function endsIn(node: ScriptNode): boolean {
  switch (node.type) {
    case "SwitchCase":
    case "BlockStatement": {
      const last = statementsOf(node).at(-1);
      return last !== undefined && endsIn(last);
    }
    case "IfStatement": {
      const other = node["alternate"] as ScriptNode | null;
      return other !== null && endsIn(other) && endsIn(node["consequent"] as ScriptNode);
    }
    default:
      return /^(Return|Throw|Break|Continue)Statement$/.test(node.type);
  }
}

/** The statements of a case or a block; none of what is neither. */
export function statementsOf(node: ScriptNode | undefined): readonly ScriptNode[] {
  const list = node?.["consequent"] ?? node?.["body"];
  return Array.isArray(list) ? (list as readonly ScriptNode[]) : [];
}
