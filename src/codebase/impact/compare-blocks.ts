import type { Language } from "../../syntax/index.ts";
import type { CodeBlock, CodeBlockKind } from "../graph/code-block.ts";
import type { AtomicChange, ChangeLabel } from "./atomic-change.ts";
import type { BlockNode } from "./block-forest.ts";
import { callsWithOtherArguments, differsInArgumentsOnly } from "./changed-arguments.ts";
import { type CodeToken, meaningOf } from "./code-tokens.ts";
import { escapes } from "./escapes.ts";

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

/** The change that adds a block. */
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

/** The change that deletes a block. */
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

/** The change of a block that was renamed or moved to another file. */
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
  /** Renames of other blocks: a body that uses the new name is changed, with the same behaviour. */
  readonly elsewhere: ReadonlyMap<string, string>;
}

/**
 * The changes of a block besides its name and place: of its signature, its body, or both. Members
 * are compared separately.
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
  const signature = (node: BlockNode, isOld: boolean) =>
    node.signature.map((tokens) => meaningOf(isOld ? renamed(tokens) : tokens).join(" ")).join("\n");
  const oldSignature = signature(before.node, true);
  const newSignature = signature(after.node, false);
  if (oldSignature !== newSignature) {
    const label = constructs[kind][0];
    changes.push({ label, ...bothSides(before, after), ...partChanges(before.node, after.node) });
  }
  const oldRest = renamed(before.node.rest);
  const newRest = after.node.rest;
  const rests = [oldRest, before.node.rest].map((tokens) => meaningOf(tokens).join(" "));
  // An untouched recursive body still uses the old name. It has to follow, but is no change.
  if (!rests.includes(meaningOf(newRest).join(" "))) {
    const isBody = /^(function|method|accessor|constructor)$/.test(kind) || endsAtBody(newSignature);
    const meant = withNames(withNames(oldRest, elsewhere), renamedParameters(before.node.block, after.node.block));
    changes.push({
      label: isBody ? "MMB" : constructs[kind][0],
      ...bothSides(before, after),
      ...none,
      escapes:
        !isBody ||
        escapes({ before: meant, after: newRest, parameters: new Set(partNames(after.node.block)) }, language),
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
