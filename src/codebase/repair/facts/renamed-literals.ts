import type { NodeInText } from "../script/node-pattern.ts";
import { childrenOf, type ScriptNode } from "../script/script-nodes.ts";
import { isLikeName, isOppositeName, isSpeltAlike } from "./name-words.ts";

/** What became of the strings that types list. */
export interface LiteralChange {
  /** Old strings to new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Strings that no type of the changed ones lists any more, without one in their place. */
  readonly removed: ReadonlySet<string>;
  /** Strings that a type listed and none does, whatever became of them. */
  readonly gone: ReadonlySet<string>;
  /**
   * Strings that a type lists and none did, not in the place of another one: each with the one
   * before it in its list.
   */
  readonly added: ReadonlyMap<string, string | undefined>;
}

/** A declaration that changed, came or went. */
export interface DeclarationChange {
  readonly before?: NodeInText | undefined;
  readonly after?: NodeInText | undefined;
}

/**
 * Compares the strings that the types of changed declarations list, as `"a" | "b"` does. One of the
 * same letters as another one that went is that one, and so is one that shares a word with it and
 * is in its place, in a list as long. What went is only removed where nothing came but such: else
 * anything that came may stand for it.
 */
export function literalChange(declarations: readonly DeclarationChange[]): LiteralChange {
  const renamed = new Map<string, string>();
  const removed = new Set<string>();
  const doubtful = new Set<string>();
  for (const { before, after } of declarations) {
    if (before === undefined || after === undefined) continue;
    const [old, now] = [literalsIn(before.node), literalsIn(after.node)];
    const come = new Set(now.filter((literal) => !old.includes(literal)));
    const gone = [...new Set(old.filter((literal) => !now.includes(literal)))];
    const heirs = new Map<string, string>();
    for (const literal of gone) {
      const spelt = [...come].filter((one) => isSpeltAlike(literal, one));
      const inPlace = old.length === now.length ? now[old.indexOf(literal)]! : literal;
      if (spelt.length === 1) heirs.set(literal, spelt[0]!);
      else if (come.has(inPlace) && isLikeName(literal, inPlace) && !isOppositeName(literal, inPlace))
        heirs.set(literal, inPlace);
    }
    const isAllHeirs = come.size === new Set(heirs.values()).size;
    for (const literal of gone) {
      const heir = heirs.get(literal);
      if (heir === undefined) (isAllHeirs ? removed : doubtful).add(literal);
      else if ((renamed.get(literal) ?? heir) === heir) renamed.set(literal, heir);
      else doubtful.add(literal);
    }
  }
  for (const literal of doubtful) renamed.delete(literal);
  for (const literal of [...renamed.keys(), ...doubtful]) removed.delete(literal);
  const listed = (side: "before" | "after") =>
    new Set(declarations.flatMap((one) => (one[side] === undefined ? [] : literalsIn(one[side].node))));
  const [known, present] = [listed("before"), listed("after")];
  const gone = new Set([...known].filter((literal) => !present.has(literal)));
  return { renamed, removed, gone, added: addedIn(declarations, known, new Set(renamed.values())) };
}

function addedIn(
  declarations: readonly DeclarationChange[],
  known: ReadonlySet<string>,
  heirs: ReadonlySet<string>,
): ReadonlyMap<string, string | undefined> {
  const added = new Map<string, string | undefined>();
  for (const { after } of declarations) {
    const list = after === undefined ? [] : literalsIn(after.node);
    for (const [index, literal] of list.entries())
      if (!known.has(literal) && !heirs.has(literal) && !added.has(literal)) added.set(literal, list[index - 1]);
  }
  return added;
}

/** The strings that stand as types below a node, in the order of the text. */
function literalsIn(node: ScriptNode): readonly string[] {
  if (node.type === "TSLiteralType") {
    const value = (node["literal"] as ScriptNode)["value"];
    return typeof value === "string" ? [value] : [];
  }
  return [...childrenOf(node)].flatMap(literalsIn);
}
