import { isLikeName } from "./name-words.ts";
import type { NodeInText } from "./node-pattern.ts";
import { childrenOf, type ScriptNode } from "./script-nodes.ts";

/** What became of the strings that types list. */
export interface LiteralChange {
  /** Old strings to new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Strings that no type of the changed ones lists any more, without one in their place. */
  readonly removed: ReadonlySet<string>;
}

/**
 * Compares the strings that the types of changed declarations list, as `"a" | "b"` does. One that stands where another one stood, in a
 * list that is the same but for such, and shares a word with it, is the other by a new name.
 */
export function literalChange(
  declarations: readonly { readonly before: NodeInText; readonly after: NodeInText }[],
): LiteralChange {
  const renamed = new Map<string, string>();
  const removed = new Set<string>();
  const doubtful = new Set<string>();
  for (const { before, after } of declarations) {
    const [old, now] = [literalsIn(before.node), literalsIn(after.node)];
    const isInPlace = old.length === now.length;
    for (const [index, literal] of old.entries()) {
      if (now.includes(literal)) continue;
      const heir = isInPlace && !old.includes(now[index]!) ? now[index]! : undefined;
      if (heir === undefined || !isLikeName(literal, heir)) removed.add(literal);
      else if ((renamed.get(literal) ?? heir) === heir) renamed.set(literal, heir);
      else doubtful.add(literal);
    }
  }
  for (const literal of doubtful) renamed.delete(literal);
  for (const literal of [...renamed.keys(), ...doubtful]) removed.delete(literal);
  return { renamed, removed };
}

/** The strings that stand as types below a node, in the order of the text. */
function literalsIn(node: ScriptNode): readonly string[] {
  if (node.type === "TSLiteralType") {
    const value = (node["literal"] as ScriptNode)["value"];
    return typeof value === "string" ? [value] : [];
  }
  return [...childrenOf(node)].flatMap(literalsIn);
}
