import type { CodeBlockKind } from "../graph/code-block.ts";
import { nameOf } from "../workspace-path.ts";
import type { BlockNode } from "./block-forest.ts";
import { likeness, type TokenBag, tokenBag } from "./code-tokens.ts";

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
 */
export function pairSiblings(before: readonly BlockNode[], after: readonly BlockNode[]): Pairing {
  const paired = new Map<BlockNode, BlockNode>();
  const taken = new Set<BlockNode>();
  const pairs: BlockPair[] = [];
  const add = (one: BlockNode, other: BlockNode, alike: number) => {
    paired.set(one, other);
    taken.add(other);
    pairs.push({ before: one, after: other, likeness: alike });
  };

  const named = byKey(after);
  for (const [key, ones] of byKey(before)) {
    const others = named.get(key) ?? [];
    if (ones.length > 1 || others.length > 1) {
      const byText = queuesBy(others, textOf);
      for (const one of ones) {
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
  for (const [one, other, alike] of mostAlike(removed(), added())) {
    if (paired.has(one) || taken.has(other) || !isBigEnough(one, other)) continue;
    add(one, other, alike);
  }
  return { pairs, removed: removed(), added: added() };
}

/** The most blocks that a block is compared with, where comparing all pairs would be more work. */
const nearBlocks = 128;

/**
 * Pairs of one kind with at least {@link minLikeness}, most similar first, then in the order of the
 * text.
 *
 * In long lists a block is compared with {@link nearBlocks} at about the same position only, so
 * that the work grows linearly with the number of blocks.
 */
export function mostAlike(
  before: readonly BlockNode[],
  after: readonly BlockNode[],
): (readonly [before: BlockNode, after: BlockNode, likeness: number])[] {
  const found: [BlockNode, BlockNode, number][] = [];
  const groups = groupedByKind(after);
  for (const [group, ones] of groupedByKind(before)) {
    const others = groups.get(group) ?? [];
    const isMany = ones.length * others.length > nearBlocks ** 2;
    for (const [index, one] of ones.entries()) {
      for (const other of isMany ? near(others, (index / ones.length) * others.length) : others) {
        const alike = likenessOf(one, other);
        if (alike >= minLikeness) found.push([one, other, alike]);
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

/** The similarity of two blocks with the name of the one replaced by that of the other. */
export function likenessOf(one: BlockNode, other: BlockNode): number {
  const name = one.block.simpleName;
  const newName = other.block.simpleName;
  if (name === newName || name === "" || newName === "") return likeness(one.bag, other.bag);
  return likeness(tokenBag(one.meaning.map((token) => (token === name ? newName : token))), other.bag);
}

/** The group of kinds that may become each other. */
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

/** Pairs removed files with added ones: old paths to new ones, most similar first. */
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
