import { namesBoundBy, topLevelNames } from "./binding-uses.ts";
import type { ScriptNode } from "./script-nodes.ts";

/**
 * Whether a name is bound where a way of nodes leads to: by a function or block around, or at the
 * top of the file.
 */
export function isInScope(path: readonly ScriptNode[], name: string): boolean {
  const [program, ...inner] = path;
  if (inner.some((node) => namesBoundBy(node)?.has(name) === true)) return true;
  return program !== undefined && topLevelNames(program as never).has(name);
}
