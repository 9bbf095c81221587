import { commaList } from "../../graph/comma-list.ts";
import type { RepairRule } from "../repair.ts";
import { namesBoundBy } from "../script/binding-uses.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";

/**
 * Adapts the type arguments of a generic type: without removed ones, reordered, and with type
 * parameters of the same name for added ones where they are in scope. Where all given arguments are
 * `any`, or `unknown`, added ones are the same.
 */
export const typeArguments: RepairRule = ({ diagnostic, text, tree, facts }) => {
  if (!["2314", "2315", "2558", "2707"].includes(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const node = path.findLast((one) => nameOf(one) !== undefined && one.start <= diagnostic.start);
  const name = node && nameOf(node);
  const change = name === undefined ? undefined : facts.typeParameters?.get(name.text);
  if (node === undefined || name === undefined || change === undefined) return [];
  const list = node["typeArguments"] as ScriptNode | null | undefined;
  const given = list ? commaList(text, { start: list.start + 1, end: list.end - 1 }, { angles: true }) : [];
  const old = change.before.map(bareName);
  if (given.length > old.length) return [];
  const texts = new Set(given.map((range) => text.slice(range.start, range.end)));
  const common = texts.size === 1 ? [...texts].find((one) => one === "any" || one === "unknown") : undefined;
  const wanted: string[] = [];
  for (const parameter of change.after) {
    const bare = bareName(parameter);
    const place = old.indexOf(bare);
    const range = given[place];
    if (range !== undefined) wanted.push(text.slice(range.start, range.end));
    else if (/=(?!>)/.test(parameter)) break;
    else if (path.some((one) => hasTypeParameter(one, bare))) wanted.push(bare);
    else if (common !== undefined) wanted.push(common);
    else return [];
  }
  const replaced = wanted.length === 0 ? "" : `<${wanted.join(", ")}>`;
  const [start, end] = list ? [list.start, list.end] : [name.end, name.end];
  return text.slice(start, end) === replaced ? [] : [{ certainty: "follows", edits: [{ start, end, text: replaced }] }];
};

/**
 * The name of a node that takes type arguments: a type, a base, a called constructor or function.
 */
function nameOf(node: ScriptNode): { readonly text: string; readonly end: number } | undefined {
  const isNamed =
    /^(TSTypeReference|TSClassImplements|TSInterfaceHeritage|NewExpression|CallExpression|TSImportType)$/.test(
      node.type,
    );
  const named = (isNamed ? (node["typeName"] ?? node["expression"] ?? node["callee"]) : undefined) as
    | ScriptNode
    | undefined;
  const text = named?.["name"] ?? (named?.["right"] as ScriptNode | undefined)?.["name"];
  return named === undefined || typeof text !== "string" ? undefined : { text, end: named.end };
}

function bareName(parameter: string): string {
  return /^(?:(?:const|in|out)\s+)*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u.exec(parameter)?.[1] ?? parameter;
}

/** Whether a node declares a type parameter of this name. */
function hasTypeParameter(node: ScriptNode, name: string): boolean {
  const list = node["typeParameters"] as ScriptNode | null | undefined;
  return (
    list?.type === "TSTypeParameterDeclaration" && namesBoundBy({ ...node, params: [], body: null })?.has(name) === true
  );
}
