import { childrenOf, nodesAround, type ScriptNode } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import { lostMember } from "../lost-member.ts";
import type { RepairRule } from "../repair.ts";

/**
 * Removes an unused import, or a name of it, where TypeScript is configured to report it; see
 * {@link withoutImport}.
 */
export const unusedImport: RepairRule = ({ diagnostic, text, tree }) => {
  if (!/^(6133|6192|6196)$/.test(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const statement = path.find(({ type }) => type === "ImportDeclaration");
  if (statement === undefined) return [];
  const specifier = path.find(({ type }) => /^Import(|Default|Namespace)Specifier$/.test(type));
  const edit = withoutImport(statement, diagnostic.code === "6192" ? undefined : specifier, text);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * The edit that removes a specifier from an import, or the whole statement where it is the only one
 * or none is given. `undefined` for a default or namespace import beside others, for the only name
 * in braces beside those, and where a comment would be removed.
 */
export function withoutImport(
  statement: ScriptNode,
  specifier: ScriptNode | undefined,
  text: string,
): TextEdit | undefined {
  const specifiers = statement["specifiers"] as readonly ScriptNode[];
  if (specifier === undefined || specifiers.length === 1) {
    const end = text[statement.end] === "\n" ? statement.end + 1 : statement.end;
    return { start: statement.start, end, text: "" };
  }
  if (specifier.type !== "ImportSpecifier") return undefined;
  const named = specifiers.filter(({ type }) => type === "ImportSpecifier");
  return named.length === 1 ? undefined : withoutItem(named, specifier, text);
}

/**
 * Removes a property from a destructuring pattern, where the object no longer has it and the local
 * is unused. No repair where it is the only property, beside `...rest`, or where its default may
 * have side effects.
 */
export const unusedProperty: RepairRule = ({ diagnostic, text, tree }) => {
  if (!lostMember.has(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const depth = path.findLastIndex(({ type }) => type === "Property");
  const [pattern, property] = [path[depth - 1], path[depth]];
  if (pattern?.type !== "ObjectPattern" || property === undefined || property["key"] !== path[depth + 1]) return [];
  const value = property["value"] as ScriptNode;
  const local = (value.type === "AssignmentPattern" ? value["left"] : value) as ScriptNode;
  const around = path.slice(0, depth).findLast(({ type }) => /Function|^Program$/.test(type))!;
  const list = pattern["properties"] as readonly ScriptNode[];
  const isRest = list.some(({ type }) => type === "RestElement");
  const isDefault =
    value.type === "AssignmentPattern" && !/^(Literal|Identifier)$/.test((value["right"] as ScriptNode).type);
  if (local.type !== "Identifier" || isRest || isDefault || list.length === 1) return [];
  const uses = [...namesIn(around)].filter((name) => name === local["name"]).length;
  // Its own name occurs as key and as value, or once for both.
  const own = [...namesIn(property)].filter((name) => name === local["name"]).length;
  const edit = uses === own ? withoutItem(list, property, text) : undefined;
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};

/**
 * Removes an item of a comma-separated list; `undefined` where a comment would be removed with it.
 */
function withoutItem(list: readonly ScriptNode[], item: ScriptNode, text: string): TextEdit | undefined {
  const index = list.indexOf(item);
  const [before, next] = [list[index - 1], list[index + 1]];
  const edit =
    next === undefined
      ? { start: before?.end ?? item.start, end: item.end, text: "" }
      : { start: item.start, end: next.start, text: "" };
  const gone = text.slice(edit.start, item.start) + text.slice(item.end, edit.end);
  return /\/[/*]/.test(gone) ? undefined : edit;
}

function* namesIn(node: ScriptNode): Generator<string> {
  if (typeof node["name"] === "string") yield node["name"];
  for (const child of childrenOf(node)) yield* namesIn(child);
}
