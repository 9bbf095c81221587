import type { Steps } from "../../async/index.ts";
import { countsOf } from "../../text/index.ts";
import { nameOf } from "../../workspace/index.ts";
import { baseName, type CodeBlock, type CodeBlockKind } from "../graph/code-block.ts";
import { type CodeToken, layout, likeness, meaningOf, type TokenBag, tokensIn } from "./code-tokens.ts";

const layoutTexts: ReadonlySet<string> = new Set(Object.values(layout));

/** A block with its parent, its children and its tokens. */
export class BlockNode {
  readonly block: CodeBlock;
  readonly parent: BlockNode | undefined;
  readonly children: BlockNode[] = [];
  readonly #tokens: readonly CodeToken[];
  #meaning: readonly string[] | undefined;
  #bag: TokenBag | undefined;

  constructor(block: CodeBlock, parent: BlockNode | undefined, tokens: readonly CodeToken[]) {
    this.block = block;
    this.parent = parent;
    this.#tokens = tokens;
  }

  /**
   * Its name without those of its parents and without a number: `add`, `get norm`, `it("adds")`.
   */
  get localName(): string {
    const name = baseName(this.block.name);
    const around = this.parent && baseName(this.parent.block.name);
    if (around === undefined || !name.startsWith(around)) return withPlainQuotes(name);
    return withPlainQuotes(name.slice(around.length).replace(/^(\.| > )/, ""));
  }

  /** The texts of all its tokens, its members included, formatting ignored. */
  get meaning(): readonly string[] {
    const { ownRange, range } = this.block;
    this.#meaning ??= meaningOf(
      tokensIn(this.#tokens, { start: ownRange.start, end: Math.max(ownRange.end, range.end) }),
    );
    return this.#meaning;
  }

  /** How often each token of {@link meaning} occurs. */
  get bag(): TokenBag {
    this.#bag ??= countsOf(this.meaning);
    return this.#bag;
  }

  /** The tokens of its signature, one list for each overload. */
  get signature(): readonly (readonly CodeToken[])[] {
    return this.block.signature.map((range) => tokensIn(this.#tokens, range));
  }

  /**
   * Its own tokens outside of its signature: the bodies of functions, the values of typed
   * constants.
   */
  get rest(): readonly CodeToken[] {
    const { ownRange, signature } = this.block;
    const result: CodeToken[] = [];
    let at = ownRange.start;
    for (const { start, end } of [...signature, { start: ownRange.end, end: ownRange.end }]) {
      result.push(...tokensIn(this.#tokens, { start: at, end: start }));
      at = end;
    }
    // A body on the line of its header equals one on the next line.
    const first = result.findIndex(({ text }) => !layoutTexts.has(text));
    return first < 0 ? [] : result.slice(first);
  }

  /** The text of a range of it, formatting ignored. */
  textOf(range: { readonly start: number; readonly end: number }): string {
    return meaningOf(tokensIn(this.#tokens, range)).join(" ");
  }
}

/**
 * Replaces the quotes of a test title or a module specifier, which are formatting, by double
 * quotes.
 */
export function withPlainQuotes(name: string): string {
  return name.replaceAll(/['`]/g, '"');
}

/**
 * The blocks of a file as a forest: the roots, in the order of the text. `blocks` are in the order
 * of the text, `tokens` are all tokens of the file.
 */
export function blockForest(blocks: readonly CodeBlock[], tokens: readonly CodeToken[]): BlockNode[] {
  const roots: BlockNode[] = [];
  const open: BlockNode[] = [];
  for (const block of blocks) {
    while (open.length > 0 && open.at(-1)!.block.range.end <= block.ownRange.start) open.pop();
    // A block within another is not always its member: a namespace may not be part of names, and a
    // method may declare a field.
    const parent = open.findLast((node) => baseName(node.block.name) === block.owner);
    const node = new BlockNode(block, parent, tokens);
    (parent?.children ?? roots).push(node);
    open.push(node);
  }
  return roots;
}

/** A block before and the same block after. */
export interface BlockPair {
  readonly before: BlockNode;
  readonly after: BlockNode;
  /** Their similarity without their names, from 0 to 1; 1 where they were paired by name alone. */
  readonly likeness: number;
}

/** Blocks before and after: paired, removed and added. */
export interface Pairing {
  readonly pairs: readonly BlockPair[];
  readonly removed: readonly BlockNode[];
  readonly added: readonly BlockNode[];
}

/**
 * The least similarity, without names, of two blocks that are taken for one. Source: the value of
 * the impact benchmark's miner.
 */
const minLikeness = 0.6;

/**
 * Blocks of fewer tokens are only paired where a neighbour agrees too, since two one-line constants
 * are always similar.
 */
const smallBlock = 12;

/**
 * Pairs the blocks of one class, group or file before and after.
 *
 * First by kind and name; where several share a name, those with equal text first and then in
 * order. The rest are paired by similarity, most similar first. A function may become a variable
 * and an interface a type, and the reverse.
 *
 * Yields between steps, so that a caller can run other work.
 */
export function* pairSiblings(before: readonly BlockNode[], after: readonly BlockNode[]): Steps<Pairing> {
  const paired = new Map<BlockNode, BlockNode>();
  const taken = new Set<BlockNode>();
  const pairs: BlockPair[] = [];
  const add = (one: BlockNode, other: BlockNode, alike: number) => {
    paired.set(one, other);
    taken.add(other);
    pairs.push({ before: one, after: other, likeness: alike });
  };

  const named = byKey(after);
  let steps = 0;
  for (const [key, ones] of byKey(before)) {
    const others = named.get(key) ?? [];
    if (ones.length > 1 || others.length > 1) {
      const byText = queuesBy(others, textOf);
      for (const one of ones) {
        if (++steps % blocksAtOnce === 0) yield;
        const same = byText.get(textOf(one))?.next().value;
        if (same) add(one, same, 1);
      }
    }
    const left = others.filter((other) => !taken.has(other)).values();
    for (const one of ones) {
      if (paired.has(one)) continue;
      const next = left.next().value;
      if (next === undefined) break;
      add(one, next, 1);
    }
  }

  const removed = () => before.filter((one) => !paired.has(one));
  const added = () => after.filter((other) => !taken.has(other));
  const hasNeighbour = neighbourTest(before, after, paired);
  const isBigEnough = (one: BlockNode, other: BlockNode) =>
    Math.min(one.meaning.length, other.meaning.length) >= smallBlock || hasNeighbour(one, other);
  for (const [one, other, alike] of yield* mostAlike(removed(), added())) {
    if (paired.has(one) || taken.has(other) || !isBigEnough(one, other)) continue;
    add(one, other, alike);
  }
  return { pairs, removed: removed(), added: added() };
}

/** How many blocks are paired by text in one step. */
const blocksAtOnce = 4_096;

/** How many tokens of blocks are compared in one step, which takes some 20 milliseconds. */
const tokensAtOnce = 200_000;

/** The most blocks that a block is compared with, where comparing all pairs would be more work. */
const nearBlocks = 128;

/**
 * Pairs of blocks of one group of kinds with at least {@link minLikeness} (0.6), most similar
 * first, then in the order of `before`. A block may be in several pairs.
 *
 * In long lists a block is compared with {@link nearBlocks} at about the same position only, so
 * that the work grows linearly with the number of blocks. Yields as {@link pairSiblings} does.
 */
export function* mostAlike(
  before: readonly BlockNode[],
  after: readonly BlockNode[],
): Steps<(readonly [before: BlockNode, after: BlockNode, likeness: number])[]> {
  const found: [BlockNode, BlockNode, number][] = [];
  const groups = groupedByKind(after);
  let compared = 0;
  for (const [group, ones] of groupedByKind(before)) {
    const others = groups.get(group) ?? [];
    const isMany = ones.length * others.length > nearBlocks ** 2;
    for (const [index, one] of ones.entries()) {
      for (const other of isMany ? near(others, (index / ones.length) * others.length) : others) {
        const alike = likenessOf(one, other);
        if (alike >= minLikeness) found.push([one, other, alike]);
        compared += one.bag.size + other.bag.size;
        if (compared < tokensAtOnce) continue;
        compared = 0;
        yield;
      }
    }
  }
  const order = new Map(before.map((node, index) => [node, index]));
  return found.sort((a, b) => b[2] - a[2] || order.get(a[0])! - order.get(b[0])!);
}

function near(nodes: readonly BlockNode[], place: number): readonly BlockNode[] {
  const start = Math.max(0, Math.min(Math.round(place - nearBlocks / 2), nodes.length - nearBlocks));
  return nodes.slice(start, start + nearBlocks);
}

/**
 * The similarity of two blocks, from 0 to 1, with the name of the one replaced by that of the
 * other.
 */
export function likenessOf(one: BlockNode, other: BlockNode): number {
  const name = one.block.simpleName;
  const newName = other.block.simpleName;
  if (name === newName || name === "" || newName === "") return likeness(one.bag, other.bag);
  return likeness(countsOf(one.meaning.map((token) => (token === name ? newName : token))), other.bag);
}

/** The group of kinds that may become each other; the kind itself where it has no such group. */
export function groupOf(kind: CodeBlockKind): string {
  if (kind === "function" || kind === "variable") return "value";
  return kind === "interface" || kind === "type" ? "type" : kind;
}

function byKey(nodes: readonly BlockNode[]): Map<string, BlockNode[]> {
  return grouped(nodes, (node) => `${groupOf(node.block.kind)}:${node.localName}`);
}

function groupedByKind(nodes: readonly BlockNode[]): Map<string, BlockNode[]> {
  return grouped(nodes, ({ block }) => groupOf(block.kind));
}

function queuesBy(nodes: readonly BlockNode[], keyOf: (node: BlockNode) => string): Map<string, Iterator<BlockNode>> {
  return new Map(Array.from(grouped(nodes, keyOf), ([key, list]) => [key, list.values()]));
}

function grouped(nodes: readonly BlockNode[], keyOf: (node: BlockNode) => string): Map<string, BlockNode[]> {
  const result = new Map<string, BlockNode[]>();
  for (const node of nodes) {
    const key = keyOf(node);
    const list = result.get(key);
    if (list) list.push(node);
    else result.set(key, [node]);
  }
  return result;
}

function textOf({ meaning }: BlockNode): string {
  return meaning.join(" ");
}

/**
 * Returns a test of whether the neighbour before or after two blocks, or the start or end of their
 * list, is the same for both.
 */
function neighbourTest(
  before: readonly BlockNode[],
  after: readonly BlockNode[],
  paired: ReadonlyMap<BlockNode, BlockNode>,
): (one: BlockNode, other: BlockNode) => boolean {
  const beforeIndex = new Map(before.map((node, index) => [node, index]));
  const afterIndex = new Map(after.map((node, index) => [node, index]));
  return (one, other) => {
    const i = beforeIndex.get(one)!;
    const j = afterIndex.get(other)!;
    return [-1, 1].some((step) => {
      const near = before[i + step];
      return near === undefined ? after[j + step] === undefined : paired.get(near) === after[j + step];
    });
  };
}

/** The least similarity of two files that are taken for one. Source: git's default. */
const minFileLikeness = 0.5;
/**
 * Above this number of comparisons, only files of the same name are compared. Source: as git's
 * `diff.renameLimit`.
 */
const maxComparisons = 10_000;

/** A removed or added file with its tokens. */
export interface LooseFile {
  readonly path: string;
  readonly bag: TokenBag;
}

/**
 * Pairs removed files with added ones by the similarity of their tokens, at least 0.5: old paths to
 * new ones, most similar first. Each file is paired once. Above 10,000 comparisons, only files of
 * the same name are compared.
 */
export function pairFiles(removed: readonly LooseFile[], added: readonly LooseFile[]): Map<string, string> {
  const found: (readonly [from: string, to: string, alike: number])[] = [];
  const isMany = removed.length * added.length > maxComparisons;
  for (const one of removed) {
    for (const other of added) {
      const isSameName = nameOf(one.path) === nameOf(other.path);
      if (isMany && !isSameName) continue;
      const alike = likeness(one.bag, other.bag);
      // Between equals the same file name decides.
      if (alike >= minFileLikeness) found.push([one.path, other.path, alike + (isSameName ? 0.01 : 0)]);
    }
  }
  const pairs = new Map<string, string>();
  const taken = new Set<string>();
  for (const [from, to] of found.sort((a, b) => b[2] - a[2])) {
    if (pairs.has(from) || taken.has(to)) continue;
    pairs.set(from, to);
    taken.add(to);
  }
  return pairs;
}
