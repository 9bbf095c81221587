import { childrenOf, type ScriptNode } from "../../../names/index.ts";
import { nameWords } from "../../../text/index.ts";
import type { NodeInText } from "../script/script-nodes.ts";

/** Changes of the string literals that types list. */
export interface LiteralChange {
  /** Old strings to new ones. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Strings that no changed type lists any more, without a replacement. */
  readonly removed: ReadonlySet<string>;
  /** Strings that a type listed and none does now, replaced or not. */
  readonly gone: ReadonlySet<string>;
  /**
   * Strings that a type lists and none did, and that replace no other: each with the string before
   * it in its list.
   */
  readonly added: ReadonlyMap<string, string | undefined>;
}

/** A declaration before and after a change; one side is absent where it was added or removed. */
export interface DeclarationChange {
  readonly before?: NodeInText | undefined;
  readonly after?: NodeInText | undefined;
}

/**
 * Compares the string literals in the types of changed declarations, such as `"a" | "b"`. A removed
 * string is renamed to one with the same letters, or to one at the same index of a list of equal
 * length that shares a word with it. A removed string counts as `removed` only where all added
 * strings are explained that way, since any other may replace it.
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

/** The string literal types below a node, in the order of the text. */
function literalsIn(node: ScriptNode): readonly string[] {
  if (node.type === "TSLiteralType") {
    const value = (node["literal"] as ScriptNode)["value"];
    return typeof value === "string" ? [value] : [];
  }
  return [...childrenOf(node)].flatMap(literalsIn);
}

/** The words of a name in camel case or snake case, in lower case, of three letters or more. */
export function wordsIn(name: string): string[] {
  return nameWords(name).filter((word) => word.length > 2);
}

/** Whether two names have the same letters, ignoring case, or share a word. */
export function isLikeName(one: string, other: string): boolean {
  const words = new Set(wordsIn(one));
  return isSpeltAlike(one, other) || wordsIn(other).some((word) => words.has(word));
}

/**
 * Whether one of two names contains all words of the other, as `fullSize` those of `size`, or has
 * the same letters; case and order are ignored.
 */
export function isWithinName(one: string, other: string): boolean {
  const [shorter, longer] = [new Set(nameWords(one)), new Set(nameWords(other))].sort((a, b) => a.size - b.size);
  return isSpeltAlike(one, other) || [...shorter!].every((word) => longer!.has(word));
}

/**
 * Whether one of two names negates the other: `showHint` and `hideHint`, `isRing` and `isNotRing`.
 */
export function isOppositeName(one: string, other: string): boolean {
  const isNegated = (name: string) => nameWords(name).filter((word) => negations.has(word)).length % 2 === 1;
  return isNegated(one) !== isNegated(other);
}

const negations: ReadonlySet<string> = new Set([
  ...["not", "no", "non", "never", "without", "except", "prevent", "disable", "disabled", "disallow", "forbid", "deny"],
  ...["skip", "hide", "hidden", "ignore", "ignored", "exclude", "excluded", "omit", "opt", "invalid", "inactive"],
]);

/** Whether two names have the same letters in the same order, ignoring case and separators. */
function isSpeltAlike(one: string, other: string): boolean {
  return lettersOf(one) === lettersOf(other);
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
