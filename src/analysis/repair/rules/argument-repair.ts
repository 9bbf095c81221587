import { nodesAround, type ScriptNode, scriptNames } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import { commaList } from "../../graph/comma-list.ts";
import { parameterNodes } from "../facts/call-changes.ts";
import { lastName, type NewParameter } from "../facts/change-facts.ts";
import type { Repair, RepairContext, RepairRule } from "../repair.ts";
import { isValueAt } from "../script/binding-uses.ts";
import { argumentsIn, calledName, outerFunction } from "../script/script-nodes.ts";

/** TypeScript's errors about too few arguments. */
const tooFew: ReadonlySet<string> = new Set(["2554", "2555"]);

/**
 * Passes a new required argument: a variable of the parameter's name where one is in scope, which
 * follows from the change; otherwise it assumes that the enclosing function takes the parameter
 * from its own callers, as a `guess`.
 *
 * `undefined` where the diagnostic is not about too few arguments of a function that got a required
 * parameter.
 */
export function argumentRepair({ diagnostic, text, tree, block, facts }: RepairContext): Repair | undefined {
  if (!tooFew.has(diagnostic.code)) return undefined;
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const call = path.findLast(({ type }) => type === "CallExpression" || type === "NewExpression");
  const missing = call && facts.addedParameters.get(calledName(call, path) ?? "");
  const parameter = missing?.[0];
  if (call === undefined || parameter === undefined || argumentsIn(call, diagnostic).length > 0) return undefined;
  const argument = insertArgument(call, parameter, text);
  if (isValueAt(tree, parameter.name, call)) return { certainty: "follows", edits: [argument] };
  const around = outerFunction(path);
  if (around === undefined || !mayGrow(block.kind) || isOfLiterals(parameter))
    return { certainty: "guess", edits: [asAny(argument, parameter.name)] };
  const params = (around["params"] ?? []) as readonly ScriptNode[];
  const name = block.kind === "constructor" ? lastName(block.owner ?? "") : block.simpleName;
  return {
    certainty: "guess",
    edits: [argument, appendParameter(around, params, parameter, text)],
    grows: { name, parameter: { ...parameter, index: parameterNodes(around).length } },
  };
}

/**
 * Whether a parameter's type is a few literals: such a value is written at the call, not passed
 * through.
 */
function isOfLiterals({ text }: NewParameter): boolean {
  return /^[^:]*:(?:\s*(?:\|\s*)?(?:"[^"]*"|'[^']*'|-?\d+(?!\d)|true|false|boolean))+$/.test(text);
}

function mayGrow(kind: string): boolean {
  return kind === "function" || kind === "method" || kind === "constructor";
}

function insertArgument(call: ScriptNode, { name, index }: NewParameter, text: string): TextEdit {
  const given = call["arguments"] as readonly ScriptNode[];
  const next = given[index];
  if (next !== undefined) return { start: next.start, end: next.start, text: `${name}, ` };
  const last = given.at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, text: `, ${name}` };
  const close = text.lastIndexOf(")", call.end);
  return { start: close, end: close, text: name };
}

function asAny(edit: TextEdit, name: string): TextEdit {
  return { ...edit, text: edit.text.replace(name, "undefined as any") };
}

function appendParameter(
  around: ScriptNode,
  params: readonly ScriptNode[],
  { text: declared }: NewParameter,
  text: string,
): TextEdit {
  const last = params.at(-1);
  if (last !== undefined) return { start: last.end, end: last.end, text: `, ${declared}` };
  const body = around["body"] as ScriptNode | null;
  const open = text.indexOf("(", around.start);
  const at = open < 0 || (body !== null && open > body.start) ? around.start : open + 1;
  return { start: at, end: at, text: declared };
}

/**
 * Adapts the type arguments of a generic type: without removed ones, reordered, and with type
 * parameters of the same name for added ones where they are in scope. Where all given arguments are
 * `any`, or `unknown`, added ones are the same. No repair where an added one has no value.
 */
export const typeArguments: RepairRule = ({ diagnostic, text, tree, facts }) => {
  if (!["2314", "2315", "2558", "2707"].includes(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const node = path.findLast((one) => nameOf(one) !== undefined && one.start <= diagnostic.start);
  const name = node && nameOf(node);
  const change = name === undefined ? undefined : facts.typeParameters?.get(name.text);
  if (node === undefined || name === undefined || change === undefined) return [];
  const list = node["typeArguments"] as ScriptNode | null | undefined;
  const given = list
    ? commaList(text, { start: list.start + 1, end: list.end - 1 }, { angles: true, quotes: "\"'`" })
    : [];
  const old = change.before.map(bareName);
  if (given.length > old.length) return [];
  const texts = new Set(given.map((range) => text.slice(range.start, range.end)));
  const common = texts.size === 1 ? [...texts].find((one) => one === "any" || one === "unknown") : undefined;
  const table = scriptNames(tree);
  const scope = table.scopeAt(node.start);
  const isTypeParameter = (bare: string) => {
    const binding = table.resolve(bare, scope);
    return binding !== undefined && table.bindings[binding]!.kind === "type parameter";
  };
  const wanted: string[] = [];
  for (const parameter of change.after) {
    const bare = bareName(parameter);
    const place = old.indexOf(bare);
    const range = given[place];
    if (range !== undefined) wanted.push(text.slice(range.start, range.end));
    else if (/=(?!>)/.test(parameter)) break;
    else if (isTypeParameter(bare)) wanted.push(bare);
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
