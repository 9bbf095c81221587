import { addToGroup, escapedPattern } from "../../../text/index.ts";
import type { AtomicChange } from "../../changes/atomic-change.ts";
import type { BlockPart, CodeBlock } from "../../graph/code-block.ts";
import { commaList } from "../../graph/comma-list.ts";
import type { CallChange } from "./call-changes.ts";
import type { LearntRewrite } from "./edits-by-example.ts";
import { isLikeName, isOppositeName, isWithinName, type LiteralChange } from "./renamed-literals.ts";

/** A parameter that is required now and did not exist before. */
export interface NewParameter {
  readonly name: string;
  /** Its index among the parameters, from 0. */
  readonly index: number;
  /** Its whole declaration, such as `metadata: Metadata`. */
  readonly text: string;
}

/** A member that was added to a type. */
export interface NewMember {
  readonly name: string;
  /** Its declared type without whitespace; empty where none is written. */
  readonly type: string;
  /** All members of the type in their order, this one included. */
  readonly siblings: readonly { readonly name: string; readonly type: string }[];
}

/** The type parameters of a declaration before and after a change, as written. */
export interface TypeParameterChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * What a change did to names and signatures, as far as dependent code has to follow. Plain data.
 */
export interface ChangeFacts {
  /** Old names to new ones, of declarations and of members of types and classes. */
  readonly renamed: ReadonlyMap<string, string>;
  /**
   * Added required parameters by the name of the function; of a constructor by the name of its
   * class.
   */
  readonly addedParameters: ReadonlyMap<string, readonly NewParameter[]>;
  /** Names of members that were removed without a replacement. */
  readonly removed: ReadonlySet<string>;
  /** Added members by name, one for each type that declares them. */
  readonly added?: ReadonlyMap<string, readonly NewMember[]>;
  /** Names of members that were removed from a type of which nothing else changed. */
  readonly removedAlone?: ReadonlySet<string>;
  /** Changed type parameters by the name of the generic type. */
  readonly typeParameters?: ReadonlyMap<string, TypeParameterChange>;
  /** Names of functions that return a promise now and did not before. */
  readonly promised?: ReadonlySet<string>;
  /** Changed parameters by the name of the function. Derived from trees: {@link callChanges}. */
  readonly calls?: ReadonlyMap<string, CallChange>;
  /** Old paths of moved files to the new ones. */
  readonly movedFiles?: ReadonlyMap<string, string>;
  /** Changes of the string literals that types list. */
  readonly literals?: LiteralChange;
  /** The values that the change itself gave to added properties, by the name of the property. */
  readonly givenValues?: ReadonlyMap<string, string>;
  /**
   * Rewrites of calls, accesses and types that were learnt from the change's own edits, by the
   * skeleton of the rewritten code.
   */
  readonly rewrites?: ReadonlyMap<string, LearntRewrite>;
}

/**
 * Derives the facts from classified changes, without those that need a syntax tree (see
 * `factsWithTrees`). Names with contradicting renames are left out.
 */
export function changeFacts(changes: readonly AtomicChange[]): ChangeFacts {
  const renamed = new Map<string, string>();
  const doubtful = new Set<string>();
  const grown = new Map<string, readonly NewParameter[]>();
  const removed = new Set<string>();
  const added = new Map<string, NewMember[]>();
  const dropped = new Set<string>();
  const typeParameters = new Map<string, TypeParameterChange>();
  const promised = new Set<string>();
  const rename = (from: string, to: string) => {
    if (from === "" || to === "" || from === to || isOppositeName(from, to)) return;
    if (renamed.has(from) && renamed.get(from) !== to) doubtful.add(from);
    renamed.set(from, to);
  };
  for (const change of changes) {
    const { label, before, after } = change;
    if (before === undefined || after === undefined) {
      if (before !== undefined && isMember(before)) removed.add(before.simpleName);
      continue;
    }
    if (label === "RENAME") rename(before.simpleName, after.simpleName);
    const isFunction = label === "MMS" || label === "MCC" || label === "RENAME";
    if (isFunction) {
      const parameters = newParameters(change);
      const name = before.kind === "constructor" ? lastName(before.owner ?? "") : before.simpleName;
      if (parameters.length > 0 && name !== "") grown.set(name, parameters);
      if (!isAsync(change.beforeText) && isAsync(change.afterText)) promised.add(after.simpleName);
    }
    const generic = { before: typeParametersIn(change, "before"), after: typeParametersIn(change, "after") };
    if (after.simpleName !== "" && generic.before.join() !== generic.after.join())
      typeParameters.set(after.simpleName, generic);
    const members = (block: CodeBlock) => (block.parts ?? []).filter(({ kind }) => kind === "member");
    const gone = members(before).filter(({ name }) => change.removedNames.includes(name));
    const come = members(after).filter(({ name }) => change.addedNames.includes(name));
    for (const part of gone) {
      const heir = replacementOf(part, gone, come, change);
      if (heir === undefined) removed.add(part.name);
      else rename(part.name, heir.name);
    }
    if (come.length === 0 && headOf(change, "before") === headOf(change, "after"))
      for (const { name } of gone) dropped.add(name);
    // The text after the colon of an object's key is a value, not a type.
    const isTyped = /^(interface|type|class)$/.test(after.kind);
    const siblings = members(after).map((part) => ({
      name: part.name,
      type: isTyped ? typeOf(partText(part, change, "after")) : "",
    }));
    for (const one of siblings) {
      if (change.addedNames.includes(one.name)) addToGroup(added, one.name, { ...one, siblings });
    }
  }
  for (const name of doubtful) renamed.delete(name);
  return { renamed, addedParameters: grown, removed, added, removedAlone: dropped, typeParameters, promised };
}

/**
 * Adds `known` renames, old names to new ones, of members and of string literals of types to the
 * facts: those whose old name was removed and whose new name was added. Names with opposite
 * meanings are never paired.
 */
export function withRenamedMembers(
  facts: ChangeFacts,
  known: ReadonlyMap<string, string> = new Map<string, string>(),
): ChangeFacts {
  const pairs = [...known].filter(([from, to]) => !isOppositeName(from, to));
  const members = pairs.filter(([from, to]) => facts.removed.has(from) && facts.added?.has(to) === true);
  const strings = pairs.filter(([from, to]) => facts.literals?.gone.has(from) && facts.literals.added.has(to));
  return {
    ...facts,
    renamed: new Map([...facts.renamed, ...members]),
    removed: without(facts.removed, members),
    ...(facts.literals && {
      literals: {
        ...facts.literals,
        renamed: new Map([...facts.literals.renamed, ...strings]),
        removed: without(facts.literals.removed, strings),
      },
    }),
  };
}

function without(names: ReadonlySet<string>, renamed: readonly (readonly [from: string, to: string])[]): Set<string> {
  const gone = new Set(renamed.map(([from]) => from));
  return new Set([...names].filter((name) => !gone.has(name)));
}

/** Merges two sets of facts; for a name in both, the second wins. */
export function joinedFacts(first: ChangeFacts, second: ChangeFacts): ChangeFacts {
  const map = <T>(pick: (facts: ChangeFacts) => ReadonlyMap<string, T> | undefined) =>
    new Map([...(pick(first) ?? []), ...(pick(second) ?? [])]);
  const set = (pick: (facts: ChangeFacts) => ReadonlySet<string> | undefined) =>
    new Set([...(pick(first) ?? []), ...(pick(second) ?? [])]);
  return {
    renamed: map(({ renamed }) => renamed),
    addedParameters: map(({ addedParameters }) => addedParameters),
    removed: set(({ removed }) => removed),
    added: map(({ added }) => added),
    removedAlone: set(({ removedAlone }) => removedAlone),
    typeParameters: map(({ typeParameters }) => typeParameters),
    promised: set(({ promised }) => promised),
    calls: map(({ calls }) => calls),
    movedFiles: map(({ movedFiles }) => movedFiles),
    givenValues: map(({ givenValues }) => givenValues),
    literals: {
      renamed: map(({ literals }) => literals?.renamed),
      removed: set(({ literals }) => literals?.removed),
      gone: set(({ literals }) => literals?.gone),
      added: map(({ literals }) => literals?.added),
    },
    rewrites: map(({ rewrites }) => rewrites),
  };
}

/** The text before the first member of a type. */
function headOf(change: AtomicChange, side: "before" | "after"): string {
  const block = change[side]!;
  const text = (side === "before" ? change.beforeText : change.afterText) ?? "";
  const first = block.parts?.find(({ kind }) => kind === "member");
  const head = text.slice(0, first === undefined ? text.length : first.range.start - block.ownRange.start);
  return head.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)|\/\/.*|\s+/g, "");
}

/** The names of the type parameters of a declaration. */
function typeParametersIn(change: AtomicChange, side: "before" | "after"): string[] {
  const text = (side === "before" ? change.beforeText : change.afterText) ?? "";
  const name = change[side]!.simpleName;
  const open =
    name === "" ? -1 : text.search(new RegExp(`\\b(class|interface|type|function)\\s+${escapedPattern(name)}\\s*<`));
  if (open < 0) return [];
  const start = text.indexOf("<", open) + 1;
  let depth = 1;
  let end = start;
  for (; end < text.length && depth > 0; end += 1) {
    if (text[end] === "<") depth += 1;
    else if (text[end] === ">" && text[end - 1] !== "=") depth -= 1;
  }
  return commaList(text, { start, end: end - 1 }, { angles: true, quotes: "\"'`" }).map((range) =>
    text.slice(range.start, range.end),
  );
}

function isAsync(text: string | undefined): boolean {
  return /^(?:[\w\s]*\s)?async\b|[:=]\s*async\b|\)\s*:\s*Promise</.test(text?.slice(0, 2000) ?? "");
}

/** The declared type of a member. */
function typeOf(member: string): string {
  return (/^[^:(]*:([\s\S]*?)[;,]?$/.exec(member.trim())?.[1] ?? "").replaceAll(/\s+/g, "");
}

function isMember({ kind }: CodeBlock): boolean {
  return kind === "method" || kind === "field" || kind === "accessor";
}

/**
 * The added member that replaces a removed one: one with the same text but for its name, or the
 * only one where one was removed and one added.
 */
function replacementOf(
  part: BlockPart,
  gone: readonly BlockPart[],
  come: readonly BlockPart[],
  change: AtomicChange,
): BlockPart | undefined {
  const rest = restOf(part, change, "before");
  const isHeir = (one: BlockPart) =>
    restOf(one, change, "after") === rest && mayBeNewName(part.name, one.name, partText(part, change, "before"), rest);
  const same = come.filter(isHeir);
  const rivals = gone.filter((one) => restOf(one, change, "before") === rest);
  if (same.length === 1 && rivals.length === 1) return same[0];
  const [only] = gone.length === 1 && come.length === 1 ? come : [];
  const isOther = only !== undefined && restOf(only, change, "after") !== rest;
  return isOther && isLikeName(part.name, only.name) && !isOppositeName(part.name, only.name) ? only : undefined;
}

/**
 * Whether a member may have been renamed. The rest of a declaration proves little where many
 * members share it: a string, constant or number is only taken for a renamed one if the names are
 * similar, and a flag may mean the opposite.
 */
function mayBeNewName(name: string, other: string, declared: string, rest: string): boolean {
  if (isOppositeName(name, other)) return false;
  const type = rest.replaceAll(/readonly|\b(null|undefined)\b|[?:;,|]/g, "");
  if (type === "boolean") return isWithinName(name, other);
  const isCommon = /^["'`]/.test(declared) || /^(|string|number|any|unknown|object)$/.test(type);
  return !isCommon || isLikeName(name, other);
}

/** The declaration of a part without its name. */
function restOf(part: BlockPart, change: AtomicChange, side: "before" | "after"): string {
  return partText(part, change, side).replace(part.name, "").replaceAll(/\s+/g, "");
}

function partText({ range }: BlockPart, change: AtomicChange, side: "before" | "after"): string {
  const block = change[side]!;
  const text = (side === "before" ? change.beforeText : change.afterText) ?? "";
  return text.slice(range.start - block.ownRange.start, range.end - block.ownRange.start);
}

function newParameters(change: AtomicChange): NewParameter[] {
  // Calls do not pass `this`.
  const parameters = (block: CodeBlock) =>
    (block.parts ?? []).filter(({ kind, name }) => kind === "parameter" && name !== "this");
  const had = new Set(parameters(change.before!).map(({ name }) => name));
  return parameters(change.after!)
    .map((part, index) => ({ name: part.name, index, text: partText(part, change, "after") }))
    .filter(({ name, text }) => !had.has(name) && !isOptional(text));
}

/** Whether a parameter may be omitted: by `?`, a default, or as a rest parameter. */
function isOptional(parameter: string): boolean {
  return /^\.\.\.|^[\w$]+\?|=/.test(parameter.replace(/=>/g, ""));
}

/** The last segment of a block's name: `C` of `N.C`. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}
