import type { ScriptTree } from "../../../names/index.ts";
import { nodesAround, type ScriptNode, scriptNames } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";
import type { CallChange, Parameter } from "../facts/call-changes.ts";
import type { Repair, RepairContext } from "../repair.ts";
import { declarationOf, isValueAt } from "../script/binding-uses.ts";
import { calledName, isPure } from "../script/script-nodes.ts";

/** TypeScript's errors about arguments: too few, too many, not assignable, no matching overload. */
export const aboutArguments: ReadonlySet<string> = new Set([
  ...["2322", "2345", "2353", "2554", "2555", "2559", "2739", "2740", "2741", "2769"],
]);

/**
 * Rewrites the arguments of a call for the function's new parameters: without removed ones,
 * reordered, gathered into one object, or with the whole object in place of the member that the
 * function now reads from it. Optional calls and calls with spread arguments are left alone, and so
 * are calls whose behaviour would change: at most one argument with side effects is kept, and none
 * is dropped. Empty where no repair follows.
 */
export function callRepair({ diagnostic, text, tree, facts }: RepairContext): readonly Repair[] {
  if (facts.calls === undefined || !aboutArguments.has(diagnostic.code)) return [];
  const path = nodesAround(tree.program, diagnostic.start, diagnostic.end);
  const calls = path.filter(({ type }) => type === "CallExpression" || type === "NewExpression").reverse();
  for (const call of calls) {
    const change = facts.calls.get(calledName(call, path) ?? "");
    if (change === undefined) continue;
    const edit = rewrittenArguments(call, change, text, tree);
    return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
  }
  return [];
}

/**
 * The edit of a call's arguments for a change of parameters; `undefined` where none follows, or
 * nothing changes, and for `new Foo` without brackets. `text` and `tree` are those of the file.
 */
export function rewrittenArguments(
  call: ScriptNode,
  change: CallChange,
  text: string,
  tree: ScriptTree,
): TextEdit | undefined {
  const given = call["arguments"] as readonly ScriptNode[];
  if (call["optional"] === true || given.some(({ type }) => type === "SpreadElement")) return undefined;
  const { before, after } = change;
  if (before.some(({ isRest }) => isRest) || after.some(({ isRest }) => isRest)) return undefined;
  const gathered = gatheredArguments(given, change, text);
  const wanted = gathered ?? listedArguments(call, change, text, tree);
  if (wanted === undefined) return undefined;
  const old = given.map((one) => text.slice(one.start, one.end));
  if (wanted.length === old.length && wanted.every((one, index) => one === old[index])) return undefined;
  // `new Foo` may have no brackets.
  if (text[call.end - 1] !== ")") return undefined;
  const start = given[0]?.start ?? call.end - 1;
  const end = given.at(-1)?.end ?? start;
  if (before.length < given.length) return undefined;
  return { start, end, text: wanted.join(", ") };
}

/** `f(a, b)` as `f({ a, b })`, where the function now takes its old parameters from an object. */
function gatheredArguments(
  given: readonly ScriptNode[],
  { before, after }: CallChange,
  text: string,
): readonly string[] | undefined {
  const [whole] = after;
  // A parameter that is not destructured may be destructured in the body; it takes an object of
  // that type either way.
  const taken = whole?.taken ?? whole?.members;
  if (after.length !== 1 || taken === undefined || before.some(({ taken: old, name }) => old || name === ""))
    return undefined;
  const names = before.map(({ name }) => name);
  if (names.some((name) => !taken.some((one) => one.name === name))) return undefined;
  const passed = names.slice(0, given.length);
  if (taken.some(({ name, isOptional }) => !isOptional && !passed.includes(name))) return undefined;
  const properties = passed.map((name, index) => {
    const value = text.slice(given[index]!.start, given[index]!.end);
    return value === name ? name : `${name}: ${value}`;
  });
  return properties.length === 0 && whole!.isOptional ? [] : [`{ ${properties.join(", ")} }`];
}

function listedArguments(
  call: ScriptNode,
  { before, after, unwrapped }: CallChange,
  text: string,
  tree: ScriptTree,
): readonly string[] | undefined {
  const given = call["arguments"] as readonly ScriptNode[];
  const textOf = (node: ScriptNode) => text.slice(node.start, node.end);
  const places = after.map((parameter, index) => oldPlaceOf(parameter, index, before, after));
  const used = new Set<number>();
  const wanted: (string | undefined)[] = [];
  let isFilled = false;
  for (const [index, parameter] of after.entries()) {
    const inner = before.findIndex(({ name }) => {
      const way = unwrapped.get(name);
      return way?.from === parameter.name && !after.some((one) => one.name === name);
    });
    const place = places[index] ?? (inner >= 0 ? inner : undefined);
    if (place === undefined) {
      if (parameter.isOptional) wanted.push(undefined);
      else if (parameter.name !== "" && isValueAt(tree, parameter.name, call)) {
        wanted.push(parameter.name);
        isFilled = true;
      } else return undefined;
      continue;
    }
    used.add(place);
    const value = given[place];
    if (value === undefined) wanted.push(undefined);
    else if (places[index] !== undefined) wanted.push(textOf(value));
    else {
      const whole = wholeOf(value, unwrapped.get(before[inner]!.name)!.member, tree);
      if (whole === undefined) return undefined;
      wanted.push(textOf(whole));
    }
  }
  const isMoved = places.some((place, index) => place !== undefined && places.slice(0, index).some((p) => p! > place));
  const dropped = given.filter((_, index) => !used.has(index));
  // Where parameters were both removed and added, an added one may replace a removed one, and which
  // is unknown.
  if (!dropped.every(isPure) || (isFilled && dropped.length > 0)) return undefined;
  if (isMoved && !mayChangePlaces(given)) return undefined;
  while (wanted.length > 0 && wanted.at(-1) === undefined) wanted.pop();
  return wanted.map((one) => one ?? "undefined");
}

/**
 * Whether the evaluation order of arguments may change: at most one has side effects, and the
 * others do not depend on them.
 */
function mayChangePlaces(given: readonly ScriptNode[]): boolean {
  const others = given.filter(isPure);
  return others.length === given.length || (others.length === given.length - 1 && others.every(isFixed));
}

function isFixed({ type }: ScriptNode): boolean {
  return /^(Identifier|Literal|ThisExpression|ArrowFunctionExpression|FunctionExpression)$/.test(type);
}

/** The object that a value is a member of: `whole` of `whole.member`, also through a constant. */
function wholeOf(value: ScriptNode, member: string, tree: ScriptTree): ScriptNode | undefined {
  if (value.type === "MemberExpression") return isMember(value, member) ? (value["object"] as ScriptNode) : undefined;
  const [declaration, declarator] = (value.type === "Identifier" && declarationOf(tree, value)?.slice(-2)) || [];
  if (declarator?.type !== "VariableDeclarator" || declaration?.["kind"] !== "const") return undefined;
  const { id, init } = declarator as unknown as { readonly id: ScriptNode; readonly init: ScriptNode | null };
  const isTaken = (one: ScriptNode) =>
    (one["key"] as ScriptNode | undefined)?.["name"] === member &&
    (one["value"] as ScriptNode | undefined)?.["name"] === value["name"];
  const whole =
    id.type === "ObjectPattern" && (id["properties"] as readonly ScriptNode[]).some(isTaken)
      ? init
      : id.type === "Identifier" && init !== null && isMember(init, member)
        ? (init["object"] as ScriptNode)
        : null;
  const name = whole?.type === "Identifier" ? (whole["name"] as string) : undefined;
  // The name has to resolve to the same binding here as at the constant.
  const names = scriptNames(tree);
  const isSame = (at: number) => names.resolve(name!, names.scopeAt(at));
  return name !== undefined && isSame(value.start) === isSame(whole!.start) ? whole! : undefined;
}

function isMember(node: ScriptNode, name: string): boolean {
  return (
    node.type === "MemberExpression" && node["computed"] !== true && (node["property"] as ScriptNode)["name"] === name
  );
}

/**
 * The index of the old parameter that a new one continues: of the same name, or of the same type at
 * the same index where the old name is gone.
 */
function oldPlaceOf(
  parameter: Parameter,
  index: number,
  before: readonly Parameter[],
  after: readonly Parameter[],
): number | undefined {
  if (parameter.name !== "") {
    const named = before.findIndex(({ name }) => name === parameter.name);
    if (named >= 0) return named;
  }
  const stood = before[index];
  if (stood === undefined || after.some(({ name }) => name !== "" && name === stood.name)) return undefined;
  return stood.type !== "" && stood.type === parameter.type ? index : undefined;
}
