import { namesBoundBy } from "./binding-uses.ts";
import { boundNames, type ScriptNode } from "./script-nodes.ts";

/** The declarator of a variable, and the nodes around it, the outermost first. */
export interface LocalValue {
  readonly declarator: ScriptNode;
  readonly path: readonly ScriptNode[];
  /** Whether it is declared by `const`. */
  readonly isConstant: boolean;
}

/**
 * The declarator that gives a name its value where a way of nodes leads to; `undefined` where a
 * parameter or anything else does.
 */
export function localValue(path: readonly ScriptNode[], name: string): LocalValue | undefined {
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const node = path[depth]!;
    for (const statement of statementsOf(node)) {
      const declaration = (statement["declaration"] ?? statement) as ScriptNode;
      if (declaration.type !== "VariableDeclaration") continue;
      for (const declarator of declaration["declarations"] as readonly ScriptNode[])
        if (boundNames(declarator["id"] as ScriptNode).includes(name))
          return { declarator, path: path.slice(0, depth + 1), isConstant: declaration["kind"] === "const" };
    }
    if (depth > 0 && namesBoundBy(node)?.has(name) === true) return undefined;
  }
  return undefined;
}

function statementsOf(node: ScriptNode): readonly ScriptNode[] {
  if (!/^(BlockStatement|Program|StaticBlock|TSModuleBlock|SwitchCase)$/.test(node.type)) return [];
  return (node["body"] ?? node["consequent"]) as readonly ScriptNode[];
}
