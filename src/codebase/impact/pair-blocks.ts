import type { CodeBlockKind } from "../graph/code-block.ts";
import { nameOf } from "../workspace-path.ts";
import type { BlockNode } from "./block-forest.ts";
import { likeness, type TokenBag, tokenBag } from "./code-tokens.ts";

/** A block before and the one that it became. */
export interface BlockPair {
  readonly before: BlockNode;
  readonly after: BlockNode;
  /**
   * How alike they are but for their names, from 0 to 1; 1 where nothing but the name tells that
   * they are the same.
   */
  readonly likeness: number;
}

/** Blocks before and after, distinguished into those that stayed, went and came. */
export interface Pairing {
  readonly pairs: readonly BlockPair[];
  readonly gone: readonly BlockNode[];
  readonly come: readonly BlockNode[];
}

/**
 * How alike two blocks must be but for their names to be taken for one. Source: the value of the
 * impact benchmark's miner.
 */
const minLikeness = 0.6;

/**
 * A name says little of what is smaller, in tokens, and a neighbour must speak for it, too: two
 * constants of one line are always alike.
 */
const smallBlock = 12;

/**
 * Finds which of `before` became which of `after`, both being all the blocks that stand in one
 * class, group or file.
 *
 * First by kind and name; where several share a name, those of the same text first and then in
 * order. What is left is paired by likeness, the most alike first. A function and a variable, and
 * an interface and a type, may become each other.
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

  const gone = () => before.filter((one) => !paired.has(one));
  const come = () => after.filter((other) => !taken.has(other));
  const hasNeighbour = neighbourTest(before, after, paired);
  const isBigEnough = (one: BlockNode, other: BlockNode) =>
    Math.min(one.meaning.length, other.meaning.length) >= smallBlock || hasNeighbour(one, other);
  for (const [one, other, alike] of mostAlike(gone(), come())) {
    if (paired.has(one) || taken.has(other) || !isBigEnough(one, other)) continue;
    add(one, other, alike);
  }
  return { pairs, gone: gone(), come: come() };
}

/**
 * With so many blocks a block is compared at most, where comparing each with each would be more for
 * all of them.
 */
const nearBlocks = 128;

/**
 * Pairs of one kind that are at least {@link minLikeness} alike, the most alike first, then in the
 * order of the text.
 *
 * Of two long lists only those are compared that stand at about the same place, {@link nearBlocks}
 * for each, so that the work grows with the number of blocks and not with its square.
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

/** How alike two blocks are once the one is called as the other. */
export function likenessOf(one: BlockNode, other: BlockNode): number {
  const name = one.block.simpleName;
  const newName = other.block.simpleName;
  if (name === newName || name === "" || newName === "") return likeness(one.bag, other.bag);
  return likeness(tokenBag(one.meaning.map((token) => (token === name ? newName : token))), other.bag);
}

/** What may become each other. */
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
 * Tells whether the block before or after two blocks, or the start or end of what they stand in, is
 * the same for both.
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

/** How alike two files must be for one to be the other, moved. Source: git's default. */
const minFileLikeness = 0.5;
/**
 * Above this many comparisons, files are compared with those of the same name only. Source: as
 * git's `diff.renameLimit`.
 */
const maxComparisons = 10_000;

/** A file that went or came, and what it says. */
export interface LooseFile {
  readonly path: string;
  readonly bag: TokenBag;
}

/**
 * Which files that went came back under another path: paths before to paths after. The most alike
 * are paired first.
 */
export function pairFiles(gone: readonly LooseFile[], come: readonly LooseFile[]): Map<string, string> {
  const found: (readonly [from: string, to: string, alike: number])[] = [];
  const isMany = gone.length * come.length > maxComparisons;
  for (const one of gone) {
    for (const other of come) {
      const isSameName = nameOf(one.path) === nameOf(other.path);
      if (isMany && !isSameName) continue;
      const alike = likeness(one.bag, other.bag);
      // Among equals the same name decides.
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
