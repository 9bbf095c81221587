import type { Language } from "../../syntax/index.ts";
import { diffSequences } from "../../text/index.ts";
import type { CodeBlock, CodeBlockKind } from "../graph/code-block.ts";
import type { AtomicChange, ChangeLabel } from "./atomic-change.ts";
import { type CodeToken, isWord, meaningOf } from "./code-tokens.ts";
import { escapes } from "./escapes.ts";
import type { BlockNode } from "./pair-blocks.ts";

/** A block with the text of its file. */
export interface BlockSide {
  readonly node: BlockNode;
  readonly text: string;
}

/** The labels of a change by the kind of its block. */
const constructs: Readonly<
  Record<CodeBlockKind, readonly [modified: ChangeLabel, added: ChangeLabel, deleted: ChangeLabel]>
> = {
  function: ["MMS", "AM", "DM"],
  method: ["MMS", "AM", "DM"],
  accessor: ["MMS", "AM", "DM"],
  constructor: ["MCC", "ACC", "DCC"],
  field: ["MF", "AF", "DF"],
  class: ["MC", "AC", "DC"],
  import: ["MI", "AI", "DI"],
  export: ["MX", "AX", "DX"],
  interface: ["MT", "AT", "DT"],
  type: ["MT", "AT", "DT"],
  enum: ["ME", "AE", "DE"],
  variable: ["MV", "AV", "DV"],
  namespace: ["MS", "AS", "DS"],
  test: ["MS", "AS", "DS"],
  statement: ["MS", "AS", "DS"],
};

const none = { removedNames: [], addedNames: [], changedNames: [] } as const;

/**
 * The change that adds a block: its label by the kind of the block, and the names of its parts as
 * `addedNames`.
 */
export function additionOf({ node, text }: BlockSide): AtomicChange {
  const { block } = node;
  return {
    label: constructs[kindOf(block)][1],
    after: block,
    afterText: ownText(block, text),
    ...none,
    addedNames: partNames(block),
  };
}

/** A property without a body is a field: a value has to be assigned to it. */
function kindOf({ kind, ownRange, signature }: CodeBlock): CodeBlockKind {
  return kind === "accessor" && signature[0]?.end === ownRange.end ? "field" : kind;
}

/**
 * The change that deletes a block: its label by the kind of the block, and the names of its parts
 * as `removedNames`.
 */
export function deletionOf({ node, text }: BlockSide): AtomicChange {
  const { block } = node;
  return {
    label: constructs[kindOf(block)][2],
    before: block,
    beforeText: ownText(block, text),
    ...none,
    removedNames: partNames(block),
  };
}

/**
 * The change of a block that was renamed or moved to another file; `likeness` is the similarity of
 * its two sides, from 0 to 1.
 */
export function passageOf(
  label: "RENAME" | "MOVE",
  before: BlockSide,
  after: BlockSide,
  likeness: number,
): AtomicChange {
  return { label, ...bothSides(before, after), ...none, likeness };
}

/**
 * The change of a block that is newly exported, or no longer, by an `export` before it or in a
 * list.
 */
export function exportOf(label: "AX" | "DX", before: BlockSide, after: BlockSide): AtomicChange {
  const names = [(label === "AX" ? after : before).node.block.simpleName];
  return {
    label,
    ...bothSides(before, after),
    ...none,
    ...(label === "AX" ? { addedNames: names } : { removedNames: names }),
  };
}

/** Names that a change replaced. */
export interface NewNames {
  /** Renames of the block itself and of its parents: no change of the block. */
  readonly around: ReadonlyMap<string, string>;
  /** Renames of other blocks: a block that uses the new name is changed, with the same meaning. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/**
 * The changes of a block besides its name and place: of its signature, its body, or both; empty
 * where only formatting, or names in `newNames.around`, differ. Members are compared separately.
 */
export function modificationsOf(
  before: BlockSide,
  after: BlockSide,
  { language, newNames }: { readonly language: Language; readonly newNames: NewNames },
): AtomicChange[] {
  const { around, elsewhere } = newNames;
  if (around.size === 0 && isUnchanged(before, after)) return [];
  const changes: AtomicChange[] = [];
  const renamed = (tokens: readonly CodeToken[]) => withNames(tokens, around);
  const { kind } = after.node.block;
  const signature = (node: BlockNode, named: (tokens: readonly CodeToken[]) => readonly CodeToken[]) =>
    node.signature.map((tokens) => meaningOf(named(tokens)).join(" ")).join("\n");
  const oldSignature = signature(before.node, renamed);
  const newSignature = signature(after.node, (tokens) => tokens);
  const parts = partChanges(before.node, after.node);
  // A renamed part, and a name that a module exports, have users that must follow.
  const keepsNames =
    parts.removedNames.length === 0 && parts.addedNames.length === 0 && kind !== "import" && kind !== "export";
  if (oldSignature !== newSignature) {
    const meant = signature(before.node, (tokens) => withNames(renamed(tokens), elsewhere));
    const isSame = keepsNames && meant === newSignature;
    changes.push({
      label: constructs[kind][0],
      ...bothSides(before, after),
      ...parts,
      ...(isSame && { escapes: false }),
    });
  }
  const oldRest = renamed(before.node.rest);
  const newRest = after.node.rest;
  const rests = [oldRest, before.node.rest].map((tokens) => meaningOf(tokens).join(" "));
  // An untouched recursive body still uses the old name. It has to follow, but is no change.
  if (!rests.includes(meaningOf(newRest).join(" "))) {
    const isBody = /^(function|method|accessor|constructor)$/.test(kind) || endsAtBody(newSignature);
    const meant = withNames(withNames(oldRest, elsewhere), renamedParameters(before.node.block, after.node.block));
    const isSame = keepsNames && meaningOf(meant).join(" ") === meaningOf(newRest).join(" ");
    changes.push({
      label: isBody ? "MMB" : constructs[kind][0],
      ...bothSides(before, after),
      ...none,
      escapes: isBody
        ? escapes({ before: meant, after: newRest, parameters: new Set(partNames(after.node.block)) }, language)
        : !isSame,
      ...(isBody && argumentsOf(meant, newRest)),
    });
  }
  return changes;
}

function withNames(tokens: readonly CodeToken[], names: ReadonlyMap<string, string>): readonly CodeToken[] {
  return names.size === 0 ? tokens : tokens.map((token) => ({ ...token, text: names.get(token.text) ?? token.text }));
}

/** Parameters renamed in place: old names, which no longer exist, to new ones. */
function renamedParameters(before: CodeBlock, after: CodeBlock): ReadonlyMap<string, string> {
  const names = ({ parts = [] }: CodeBlock) => parts.flatMap(({ kind, name }) => (kind === "parameter" ? [name] : []));
  const [old, now] = [names(before), names(after)];
  if (old.length !== now.length) return new Map();
  const pairs = old.map((name, at) => [name, now[at]!] as const);
  return new Map(pairs.filter(([from, to]) => from !== to && !now.includes(from) && !old.includes(to)));
}

/** Whether both sides of a block have the same text, as most blocks of a changed file do. */
function isUnchanged(before: BlockSide, after: BlockSide): boolean {
  const [old, now] = [before.node.block, after.node.block];
  if (ownText(old, before.text) !== ownText(now, after.text) || old.signature.length !== now.signature.length)
    return false;
  return old.signature.every(
    ({ start, end }, at) =>
      start - old.ownRange.start === now.signature[at]!.start - now.ownRange.start &&
      end - old.ownRange.start === now.signature[at]!.end - now.ownRange.start,
  );
}

function argumentsOf(
  before: readonly CodeToken[],
  after: readonly CodeToken[],
): Pick<AtomicChange, "passesOther" | "isInArguments"> {
  const meant = (tokens: readonly CodeToken[]) => tokens.filter(({ isIdle }) => !isIdle);
  const [old, now] = [meant(before), meant(after)];
  const passesOther = callsWithOtherArguments(old, now);
  return {
    ...(passesOther.length > 0 && { passesOther }),
    ...(differsInArgumentsOnly(old, now) && { isInArguments: true }),
  };
}

/**
 * Whether a signature ends where the body of a function begins, as that of a field with a function
 * does.
 */
function endsAtBody(signature: string): boolean {
  return signature.endsWith("=>") || (/\bfunction\b/.test(signature) && signature.endsWith(")"));
}

function partChanges(
  before: BlockNode,
  after: BlockNode,
): Pick<AtomicChange, "removedNames" | "addedNames" | "changedNames"> {
  const old = partTexts(before);
  const now = partTexts(after);
  return {
    removedNames: [...old.keys()].filter((name) => !now.has(name)),
    addedNames: [...now.keys()].filter((name) => !old.has(name)),
    changedNames: [...old.keys()].filter((name) => now.has(name) && now.get(name) !== old.get(name)),
  };
}

/** The text of each part; for a name with several overloads, all of them together. */
function partTexts(node: BlockNode): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, range } of node.block.parts ?? []) {
    const text = node.textOf(range);
    texts.set(name, texts.has(name) ? `${texts.get(name)}\n${text}` : text);
  }
  return texts;
}

function partNames(block: CodeBlock): string[] {
  return [...new Set((block.parts ?? []).map(({ name }) => name))];
}

function bothSides(before: BlockSide, after: BlockSide) {
  return {
    before: before.node.block,
    after: after.node.block,
    beforeText: ownText(before.node.block, before.text),
    afterText: ownText(after.node.block, after.text),
  };
}

function ownText({ ownRange }: CodeBlock, text: string): string {
  return text.slice(ownRange.start, ownRange.end);
}

/**
 * The names of the functions that a body calls with other arguments than before, each once. They
 * may have to follow the change. Functions that the old body does not call are left out.
 *
 * An argument counts as changed if it differs directly in its call, not only in a nested call or
 * object; or if it is a local variable whose initializer changed outside of nested brackets. A
 * constructor call counts by the name of its class. Both token lists are without idle tokens.
 */
export function callsWithOtherArguments(before: readonly CodeToken[], after: readonly CodeToken[]): string[] {
  const old = before.map(({ text }) => text);
  const now = after.map(({ text }) => text);
  const isChanged = new Uint8Array(now.length + 1);
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of diffSequences(old, now)) {
    isChanged.fill(1, afterStart, afterEnd);
    // A deletion marks the token after it, such as the closing bracket of its call.
    if (afterStart === afterEnd && beforeEnd > beforeStart) isChanged[afterStart] = 1;
  }
  const others = localsMadeOtherwise(now, isChanged);
  const known = new Set(Array.from(calls(old), ([, callee]) => callee));
  const found = new Set<string>();
  for (const [open, callee] of calls(now)) {
    // A call that is new is the purpose of the change, not an effect of it.
    if (!known.has(callee)) continue;
    let depth = 0;
    for (let at = open; at < now.length; at++) {
      const text = now[at]!;
      const isClosing = /^[)\]}]$/.test(text);
      if (isClosing) depth--;
      const isHere = at > open && (depth === 1 || (depth === 0 && text === ")"));
      if (isHere && isChanged[at] === 1) found.add(callee);
      if (depth === 1 && others.has(text) && !/^(\.|\?\.)$/.test(now[at - 1]!) && now[at + 1] !== "=")
        found.add(callee);
      if (depth === 0 && at > open) break;
      if (/^[([{]$/.test(text)) depth++;
    }
  }
  return [...found];
}

/**
 * Whether the bodies differ only in arguments of calls. The results are then likely unchanged, as
 * where a caller passes one more argument. Both token lists are without idle tokens.
 */
export function differsInArgumentsOnly(before: readonly CodeToken[], after: readonly CodeToken[]): boolean {
  const old = before.map(({ text }) => text);
  const now = after.map(({ text }) => text);
  const inOld = argumentMarks(old);
  const inNow = argumentMarks(now);
  return diffSequences(old, now).every(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    const isIn = (marks: Uint8Array, start: number, end: number) =>
      marks.subarray(start, end).every((mark) => mark === 1);
    return isIn(inOld, beforeStart, beforeEnd) && isIn(inNow, afterStart, afterEnd);
  });
}

/** Marks with 1 each token between the brackets of a call. */
function argumentMarks(texts: readonly string[]): Uint8Array {
  const marks = new Uint8Array(texts.length);
  for (const [open] of calls(texts)) {
    let depth = 0;
    for (let at = open; at < texts.length; at++) {
      if (/^[([{]$/.test(texts[at]!)) depth++;
      if (/^[)\]}]$/.test(texts[at]!) && --depth === 0) break;
      if (at > open) marks[at] = 1;
    }
  }
  return marks;
}

/** The opening bracket of each call, and the last name before it. */
function* calls(texts: readonly string[]): Generator<readonly [open: number, callee: string]> {
  for (const [at, text] of texts.entries()) {
    if (text !== "(") continue;
    let end = at - 1;
    if (texts[end] === ">") {
      // Skip the type arguments between the name and the bracket.
      for (let depth = 0; end >= 0; end--) {
        if (texts[end] === ">") depth++;
        if (texts[end] === "<" && --depth === 0) break;
      }
      end--;
    }
    const callee = texts[end];
    if (isWord(callee) && !notCalled.test(callee)) yield [at, callee];
  }
}

/** Local variables whose initializer changed outside of nested brackets. */
function localsMadeOtherwise(texts: readonly string[], isChanged: Uint8Array): Set<string> {
  const found = new Set<string>();
  for (const [at, text] of texts.entries()) {
    const name = texts[at - 1];
    if (text !== "=" || !isWord(name) || /^(\.|\?\.|->)$/.test(texts[at - 2] ?? "")) continue;
    let depth = 0;
    for (let next = at + 1; next < texts.length && depth >= 0; next++) {
      const one = texts[next]!;
      if (/^[)\]}]$/.test(one)) depth--;
      if (depth === 0 && /^([;,↵])$/.test(one)) break;
      if (depth === 0 && isChanged[next] === 1) {
        found.add(name);
        break;
      }
      if (/^[([{]$/.test(one)) depth++;
    }
  }
  return found;
}

const notCalled =
  /^(if|for|while|switch|catch|foreach|function|async|await|return|typeof|nameof|in|of|and|or|not|is|elif|else|using|lock|with|match|except|assert|def|class|func|fn|lambda|when|yield|new)$/;
