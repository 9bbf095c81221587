import { commaList } from "../../graph/comma-list.ts";
import type { RepairRule } from "../repair.ts";
import { namesBoundBy } from "../script/binding-uses.ts";
import { nodesAround, type ScriptNode } from "../script/script-nodes.ts";

/**
 * Gives a generic type what it asks for now: without what was taken away, in the new order, and
 * with type parameters of the same name for those that came, where the place has them. Where all
 * that is given is `any`, or `unknown`, so is what came.
 */
export const typeArguments: RepairRule = ({ finding, text, tree, facts }) => {
  if (!["2314", "2315", "2558", "2707"].includes(finding.code)) return [];
  const path = nodesAround(tree.program, finding.start, finding.end);
  const node = path.findLast((one) => nameOf(one) !== undefined && one.start <= finding.start);
  const name = node && nameOf(node);
  const change = name === undefined ? undefined : facts.typeParameters?.get(name.text);
  if (node === undefined || name === undefined || change === undefined) return [];
  const list = node["typeArguments"] as ScriptNode | null | undefined;
  const given = list ? commaList(text, { start: list.start + 1, end: list.end - 1 }, { angles: true }) : [];
  const old = change.before.map(bareName);
  if (given.length > old.length) return [];
  const said = new Set(given.map((range) => text.slice(range.start, range.end)));
  const alike = said.size === 1 ? [...said].find((one) => one === "any" || one === "unknown") : undefined;
  const wanted: string[] = [];
  for (const parameter of change.after) {
    const bare = bareName(parameter);
    const place = old.indexOf(bare);
    const range = given[place];
    if (range !== undefined) wanted.push(text.slice(range.start, range.end));
    else if (/=(?!>)/.test(parameter)) break;
    else if (path.some((one) => hasTypeParameter(one, bare))) wanted.push(bare);
    else if (alike !== undefined) wanted.push(alike);
    else return [];
  }
  const replaced = wanted.length === 0 ? "" : `<${wanted.join(", ")}>`;
  const [start, end] = list ? [list.start, list.end] : [name.end, name.end];
  return text.slice(start, end) === replaced ? [] : [{ certainty: "follows", edits: [{ start, end, text: replaced }] }];
};

/**
 * The name of what may be given types: a type, a base, a constructor or function that is called.
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

/** Whether a node has a type parameter of this name for what is in it. */
function hasTypeParameter(node: ScriptNode, name: string): boolean {
  const list = node["typeParameters"] as ScriptNode | null | undefined;
  return (
    list?.type === "TSTypeParameterDeclaration" && namesBoundBy({ ...node, params: [], body: null })?.has(name) === true
  );
}
