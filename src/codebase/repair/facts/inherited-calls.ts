import type { ScriptTree } from "../../graph/script-tree.ts";
import { baseName, isClass } from "../script/called-name.ts";
import { childrenOf, type ScriptNode } from "../script/script-nodes.ts";
import type { ChangeFacts } from "./change-facts.ts";

/**
 * Classes that are made as those are that they extend, having no constructor of their own: what
 * they extend, by their name.
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

/** The facts, where what is said of a class is true of those, too, that are made as it is. */
export function withInheritedCalls(facts: ChangeFacts, bases: ReadonlyMap<string, string>): ChangeFacts {
  const grown = new Map(facts.grown);
  const calls = new Map(facts.calls);
  for (const name of bases.keys()) {
    const base = ancestor(name, bases, (one) => facts.grown.has(one) || facts.calls?.has(one) === true);
    if (base === undefined || facts.grown.has(name) || facts.calls?.has(name) === true) continue;
    if (facts.grown.has(base)) grown.set(name, facts.grown.get(base)!);
    if (facts.calls?.has(base) === true) calls.set(name, facts.calls.get(base)!);
  }
  return { ...facts, grown, calls };
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
