import { type BlockId, blockId, type CodeBlock } from "../../src/analysis/graph/code-block.ts";
import { type AtomicChange, classifyChanges } from "../../src/analysis/index.ts";
import { withLineEndingsOf } from "../../src/edit/regions/region-place.ts";
import { escapedPattern, withLineFeeds } from "../../src/text/index.ts";

/** A repository before and after a task, by path. */
export interface TaskTexts {
  readonly source: ReadonlyMap<string, string>;
  readonly target: ReadonlyMap<string, string>;
}

/** The blocks of a text, in its order; those requested before are kept by the provider. */
export type BlocksOf = (path: string, text: string) => readonly CodeBlock[];

/** What the target makes of a repository, block by block. */
export class TargetBlocks {
  readonly changes: readonly AtomicChange[];
  readonly #texts: TaskTexts;
  readonly #blocksOf: BlocksOf;
  readonly #goals = new Map<BlockId, CodeBlock>();
  readonly #gone = new Set<BlockId>();
  readonly #additions = new Map<string, CodeBlock[]>();

  constructor(texts: TaskTexts, blocksOf: BlocksOf) {
    this.#texts = texts;
    this.#blocksOf = blocksOf;
    this.changes = allChanges({ texts, blocksOf });
    for (const { before, after } of this.changes) {
      if (before && after) this.#goals.set(blockId(before), after);
      else if (before) this.#gone.add(blockId(before));
      else if (after) this.#additions.set(after.path, [...this.additionsTo(after.path), after]);
    }
  }

  /** What a block of the source is in the target, where it is something else there. */
  goalOf(id: BlockId): CodeBlock | undefined {
    return this.#goals.get(id);
  }

  /** Whether the target has a block of the source no more. */
  isGone(id: BlockId): boolean {
    return this.#gone.has(id);
  }

  /** A block that the target adds. */
  additionOf(id: BlockId): CodeBlock | undefined {
    for (const list of this.#additions.values()) for (const one of list) if (blockId(one) === id) return one;
    return undefined;
  }

  additionsTo(path: string): readonly CodeBlock[] {
    return this.#additions.get(path) ?? [];
  }

  /** The text of a block of the target. */
  ownText({ path, ownRange }: CodeBlock): string {
    return this.#texts.target.get(path)!.slice(ownRange.start, ownRange.end);
  }

  /**
   * Members that the target adds to the class of a block, by which its new text can be what it is:
   * those that it names, and those that name them. `isThere` is true for those that are not to be
   * added any more.
   */
  broughtBy(goal: CodeBlock, isThere: (id: BlockId) => boolean): readonly CodeBlock[] {
    const owner = goal.kind === "class" ? goal.name : goal.owner;
    const candidates = this.additionsTo(goal.path).filter(
      (one) => owner !== undefined && one.owner === owner && !isThere(blockId(one)),
    );
    const taken: CodeBlock[] = [];
    const containsName = (text: string, name: string) =>
      new RegExp(`(?<![\\w$])${escapedPattern(name)}(?![\\w$])`).test(text);
    for (let size = -1; size !== taken.length; ) {
      size = taken.length;
      for (const one of candidates) {
        if (taken.includes(one)) continue;
        const isNamed = [goal, ...taken].some(
          (by) => one.kind !== "constructor" && containsName(this.ownText(by), one.simpleName),
        );
        const names = taken.some((other) => containsName(this.ownText(one), other.simpleName));
        if (isNamed || names) taken.push(one);
      }
    }
    return taken;
  }

  /** A file with a block of it as the target has it. */
  withGoal(text: string, block: CodeBlock, goal: CodeBlock): string {
    const now = this.#blocksOf(block.path, text).find((one) => blockId(one) === blockId(block))!;
    return (
      text.slice(0, now.ownRange.start) + withLineEndingsOf(this.#plainText(goal), text) + text.slice(now.ownRange.end)
    );
  }

  /**
   * A file with a member that the target adds, where the target has it: behind the nearest that
   * both have, or before it.
   */
  withAddition(path: string, text: string, addition: CodeBlock): string {
    const target = this.#texts.target.get(addition.path)!;
    const beside = (one: CodeBlock) => one.owner === addition.owner && one.kind !== "import";
    const siblings = this.#blocksOf(addition.path, target).filter(beside);
    const now = this.#blocksOf(path, text).filter(beside);
    const place = (one: CodeBlock) => now.find((other) => blockId(other) === blockId(one));
    const { start, end } = addition.range;
    const own = withLineEndingsOf(withLineFeeds(target.slice(start, Math.max(end, addition.ownRange.end))), text);
    const above = siblings.filter((one) => one.range.end <= start).map(place);
    const last = above.findLast((one) => one !== undefined);
    if (last !== undefined) {
      const gap = gapBefore(target, start);
      return text.slice(0, last.range.end) + withLineEndingsOf(gap, text) + own + text.slice(last.range.end);
    }
    const next = siblings
      .filter((one) => one.range.start >= end)
      .map(place)
      .find((one) => one !== undefined);
    if (next !== undefined) {
      const gap = gapBefore(text, next.range.start);
      return text.slice(0, next.range.start) + own + withLineEndingsOf(gap, text) + text.slice(next.range.start);
    }
    const owner = this.#blocksOf(path, text).find(
      ({ kind, name }) => name === addition.owner && kind !== "constructor",
    );
    const at = owner?.ownRange.end ?? text.length;
    return text.slice(0, at) + withLineEndingsOf(gapBefore(target, start), text) + own + text.slice(at);
  }

  #plainText(block: CodeBlock): string {
    return withLineFeeds(this.ownText(block));
  }
}

/** The blanks in front of an offset, from the end of the line above on. */
function gapBefore(text: string, offset: number): string {
  const blanks = /\s*$/.exec(text.slice(0, offset))![0];
  return blanks.includes("\n") ? withLineFeeds(blanks) : "\n";
}

/** The changes between source and target, all files at once. */
export function allChanges({
  texts,
  blocksOf,
}: {
  readonly texts: TaskTexts;
  readonly blocksOf: BlocksOf;
}): AtomicChange[] {
  const paths = new Set([...texts.source.keys(), ...texts.target.keys()]);
  return [...paths].flatMap((path) => {
    const [before, after] = [texts.source.get(path), texts.target.get(path)];
    if (before === after) return [];
    const state = (text: string) => ({ text, blocks: blocksOf(path, text) });
    return classifyChanges([
      {
        path,
        ...(before !== undefined && { before: state(before) }),
        ...(after !== undefined && { after: state(after) }),
      },
    ]);
  });
}
