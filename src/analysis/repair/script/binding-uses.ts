import type { ScriptTree } from "../../../names/index.ts";
import { nodesAround, type ScriptNode, scriptNames } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";

/**
 * Renames the uses of a top-level binding: `{ name }` becomes `{ name: to }`, also in a pattern,
 * and exports get the new name. Imports of the name are left as they are.
 *
 * `undefined` where the new name collides with another binding at one of the places; one that is
 * imported does not where `isImported` is set. Law: a rename and its reverse restore the text,
 * except that `{ to: to }` stays for `{ to }`.
 */
export function renameUses(
  tree: ScriptTree,
  name: string,
  to: string,
  { isImported = false }: { readonly isImported?: boolean } = {},
): readonly TextEdit[] | undefined {
  const table = scriptNames(tree);
  const top = table.scopes[0]!.names;
  const binding = top.get(name);
  const isImport = binding !== undefined && table.bindings[binding]!.imported !== undefined;
  const uses = table
    .named(name)
    .filter((use) => (use.role === "uses" || (use.role === "declares" && !isImport)) && use.binding === binding);
  const free = isImported ? top.get(to) : undefined;
  const isTaken = [0, ...uses.map(({ scope }) => scope)].some((scope) => {
    const found = table.resolve(to, scope);
    return found !== undefined && found !== free;
  });
  if (isTaken) return undefined;
  return uses.map(({ start, end, shared }) =>
    shared === "object" || shared === "pattern" ? { start: end, end, text: `: ${to}` } : { start, end, text: to },
  );
}

/**
 * Whether a value with this name is in scope at the end of a node, such as behind the arguments of
 * a call. A variable is not in scope in its own declaration.
 */
export function isValueAt(tree: ScriptTree, name: string, { start, end }: ScriptNode): boolean {
  const table = scriptNames(tree);
  const binding = table.resolve(name, table.scopeAt(end - 1));
  if (binding === undefined || /^type\b/.test(table.bindings[binding]!.kind)) return false;
  const [declaration] = pathTo(tree, name, binding)?.slice(-2) ?? [];
  return declaration?.type !== "VariableDeclaration" || start < declaration.start || declaration.end < end;
}

/**
 * The nodes around the declaration of the variable or parameter that an identifier refers to,
 * outermost first; the last is the declarator of a variable, or the function of a parameter.
 * `undefined` where the file does not declare the name.
 */
export function declarationOf(tree: ScriptTree, identifier: ScriptNode): readonly ScriptNode[] | undefined {
  const use = scriptNames(tree)
    .at(identifier.start)
    .find(({ binding }) => binding !== undefined);
  return use && pathTo(tree, use.name, use.binding!);
}

function pathTo(tree: ScriptTree, name: string, binding: number): readonly ScriptNode[] | undefined {
  const declared = scriptNames(tree)
    .named(name)
    .find((use) => use.role === "declares" && use.binding === binding);
  if (declared === undefined) return undefined;
  const path = nodesAround(tree.program, declared.start, declared.end);
  return path.slice(0, path.findLastIndex(({ type }) => !isOfPattern.test(type)) + 1);
}

const isOfPattern = /^(Identifier|ObjectPattern|ArrayPattern|AssignmentPattern|Property|RestElement)$/;
