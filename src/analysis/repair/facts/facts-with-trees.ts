import { childrenOf, nodesAround, type ScriptNode, type ScriptTree } from "../../../names/index.ts";
import { getOrInsert } from "../../../text/index.ts";
import type { ChangedText } from "../../../workspace/index.ts";
import type { AtomicChange } from "../../changes/atomic-change.ts";
import { classifyChanges } from "../../changes/classify-changes.ts";
import type { OverlayCheckRequest } from "../../diagnostics/overlay-check.ts";
import type { CodeBlock } from "../../graph/code-block.ts";
import { hasProperties, propertiesOf } from "../script/property-list.ts";
import { baseName, isClass, type NodeInText } from "../script/script-nodes.ts";
import { callChanges, promisedMembers, type SideOf } from "./call-changes.ts";
import { type ChangeFacts, changeFacts, withRenamedMembers } from "./change-facts.ts";
import { alignedChildren, type ExampleEdit, exampleEdits, learnRewrites } from "./edits-by-example.ts";
import { literalChange } from "./renamed-literals.ts";

/**
 * Derives all facts of a change of texts, including those that need syntax trees: changed
 * parameters, and rewrites learnt from the change's own edits.
 */
export function factsWithTrees(
  changed: ReadonlyMap<string, ChangedText>,
  { blocksOf, treeOf }: Pick<OverlayCheckRequest, "blocksOf" | "treeOf">,
): ChangeFacts {
  const state = (path: string, text: string | undefined) =>
    text === undefined ? undefined : { text, blocks: blocksOf(path, text) };
  const changes = classifyChanges(
    [...changed].map(([path, sides]) => {
      const [before, after] = [state(path, sides.before), state(path, sides.after)];
      return { path, ...(before && { before }), ...(after && { after }) };
    }),
  );
  const sides = new Map<string, ReturnType<SideOf>>();
  const sideOf: SideOf = (path, side) =>
    getOrInsert(sides, `${side} ${path}`, () => {
      const text = changed.get(path)?.[side];
      const tree = text === undefined ? undefined : treeOf(path, text);
      return text === undefined || tree === undefined ? undefined : { text, tree };
    });
  const declarations = changes.map(({ before, after }) => ({
    before: before && nodeOf(before, sideOf(before.path, "before")),
    after: after && nodeOf(after, sideOf(after.path, "after")),
  }));
  const edited = declarations.flatMap(({ before, after }) =>
    before === undefined || after === undefined ? [] : [{ before, after }],
  );
  const examples = edited.flatMap((one) => exampleEdits(one.before, one.after));
  // The values in an object that was changed itself, such as a table of codes, are no examples for
  // other objects.
  const declared = new Set(
    changes.flatMap(({ after, addedNames }) => (/^(interface|type|class)$/.test(after?.kind ?? "") ? [] : addedNames)),
  );
  const facts = withRenamedMembers(changeFacts(changes), replacedMembers(examples));
  return {
    ...facts,
    promised: new Set([...(facts.promised ?? []), ...promisedMembers(changes, sideOf)]),
    calls: callChanges(changes, sideOf),
    movedFiles: movedFiles(changes, (path, side) => sideOf(path, side) !== undefined),
    literals: literalChange(declarations),
    givenValues: new Map([...givenProperties(edited)].filter(([name]) => !declared.has(name))),
    rewrites: learnRewrites(examples),
  };
}

/**
 * The names of members that accesses in the change itself replaced, old names to new ones, as
 * `price.amount` by `price.value`; without those that were replaced by several.
 */
function replacedMembers(examples: readonly ExampleEdit[]): ReadonlyMap<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { before, after } of examples) {
    const [old, now] = [accessIn(before), accessIn(after)];
    if (old === undefined || now === undefined || old.object !== now.object || old.name === now.name) continue;
    found.set(old.name, (found.get(old.name) ?? new Set()).add(now.name));
  }
  return new Map([...found].flatMap(([from, to]) => (to.size === 1 ? [[from, [...to][0]!] as const] : [])));
}

/** The object and the name of a member access. */
function accessIn(place: NodeInText): { readonly object: string; readonly name: string } | undefined {
  const { type, computed, object, property } = place.node as ScriptNode & Record<string, unknown>;
  const name = (property as ScriptNode | undefined)?.["name"];
  if (type !== "MemberExpression" || computed === true || typeof name !== "string") return undefined;
  return { object: textOf(place, object as ScriptNode), name };
}

function nodeOf({ ownRange }: CodeBlock, file: ReturnType<SideOf>): NodeInText | undefined {
  if (file === undefined) return undefined;
  const node = nodesAround(file.tree.program, ownRange.start, ownRange.end).at(-1)!;
  // The block of a class covers its header only; the program node is no declaration.
  return node.type === "Program" ? undefined : { node, text: file.text };
}

/** A node before and after a change. */
interface NodeChange {
  readonly before: NodeInText;
  readonly after: NodeInText;
}

/**
 * The constants that a change gave to added properties, by name, where all uses agree: a literal,
 * or an empty array or object.
 */
function givenProperties(changes: readonly NodeChange[]): Map<string, string> {
  const found = new Map<string, Set<string>>();
  for (const { before, after } of changes) {
    const walk = (old: ScriptNode, now: ScriptNode): void => {
      if (textOf(before, old) === textOf(after, now) || old.type !== now.type) return;
      if (hasProperties(old)) {
        const had = new Set(propertiesOf(old).map(({ name }) => name));
        for (const { name, value } of propertiesOf(now)) {
          if (name === undefined || value === undefined || had.has(name)) continue;
          found.set(name, (found.get(name) ?? new Set()).add(isConstant(value) ? textOf(after, value) : ""));
        }
      }
      const pairs = alignedChildren({ node: old, text: before.text }, { node: now, text: after.text });
      for (const [one, other] of pairs ?? []) walk(one, other);
    };
    walk(before.node, after.node);
  }
  return new Map(
    [...found].flatMap(([name, [value, ...others]]) => (value && others.length === 0 ? [[name, value] as const] : [])),
  );
}

function isConstant(value: ScriptNode): boolean {
  switch (value.type) {
    case "Literal":
      return true;
    case "Identifier":
      return value["name"] === "undefined";
    case "UnaryExpression":
      return isConstant(value["argument"] as ScriptNode);
    case "ArrayExpression":
      return (value["elements"] as readonly unknown[]).length === 0;
    case "ObjectExpression":
      return (value["properties"] as readonly unknown[]).length === 0;
    default:
      return false;
  }
}

function textOf({ text }: NodeInText, { start, end }: ScriptNode): string {
  return text.slice(start, end);
}

/** Whether a file exists before or after a change. */
type HasFile = (path: string, side: "before" | "after") => boolean;

/** The files that were removed and recreated under one other path: old paths to new ones. */
function movedFiles(changes: readonly AtomicChange[], hasFile: HasFile): Map<string, string> {
  const targets = new Map<string, Set<string>>();
  for (const { label, before, after } of changes) {
    if (label !== "MOVE" || before === undefined || after === undefined) continue;
    if (hasFile(before.path, "after") || hasFile(after.path, "before")) continue;
    getOrInsert(targets, before.path, () => new Set()).add(after.path);
  }
  return new Map([...targets].flatMap(([from, to]) => (to.size === 1 ? [[from, [...to][0]!] as const] : [])));
}

/**
 * Classes without a constructor of their own, with the class that they extend, by name. A name with
 * several declarations that differ is left out.
 */
export function inheritingClasses(trees: Iterable<ScriptTree>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const doubtful = new Set<string>();
  for (const { program } of trees)
    for (const one of classesIn(program as unknown as ScriptNode)) {
      const name = (one["id"] as ScriptNode | null | undefined)?.["name"];
      if (typeof name !== "string") continue;
      const base = hasConstructor(one) ? undefined : baseName(one);
      if (base === undefined || (found.has(name) && found.get(name) !== base)) doubtful.add(name);
      else found.set(name, base);
    }
  for (const name of doubtful) found.delete(name);
  return found;
}

/**
 * Copies facts about a constructor to the classes that inherit it; `bases` are the classes of
 * {@link inheritingClasses}. Facts of a class's own name are kept.
 */
export function withInheritedCalls(facts: ChangeFacts, bases: ReadonlyMap<string, string>): ChangeFacts {
  const grown = new Map(facts.addedParameters);
  const calls = new Map(facts.calls);
  for (const name of bases.keys()) {
    const base = ancestor(name, bases, (one) => facts.addedParameters.has(one) || facts.calls?.has(one) === true);
    if (base === undefined || facts.addedParameters.has(name) || facts.calls?.has(name) === true) continue;
    if (facts.addedParameters.has(base)) grown.set(name, facts.addedParameters.get(base)!);
    if (facts.calls?.has(base) === true) calls.set(name, facts.calls.get(base)!);
  }
  return { ...facts, addedParameters: grown, calls };
}

function ancestor(
  name: string,
  bases: ReadonlyMap<string, string>,
  isWanted: (name: string) => boolean,
): string | undefined {
  const seen = new Set<string>();
  for (let base = bases.get(name); base !== undefined && !seen.has(base); base = bases.get(base)) {
    if (isWanted(base)) return base;
    seen.add(base);
  }
  return undefined;
}

function hasConstructor(node: ScriptNode): boolean {
  const members = ((node["body"] as ScriptNode | undefined)?.["body"] ?? []) as readonly ScriptNode[];
  return members.some((member) => member["kind"] === "constructor");
}

function* classesIn(node: ScriptNode): Generator<ScriptNode> {
  if (isClass(node)) yield node;
  for (const child of childrenOf(node)) yield* classesIn(child);
}
