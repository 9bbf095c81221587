import type { BlockWhat } from "../languages/index.ts";
import type { TextRange } from "../text/index.ts";

/** The role of a block in its parent. */
export type BlockKind = "declaration" | "member" | "statement";

/**
 * A piece of a program that can be named, moved or replaced as a whole. Plain data; offsets are
 * UTF-16, half-open.
 */
export interface Block {
  readonly kind: BlockKind;
  readonly what: BlockWhat;
  /** Its name in the source, without quotes; absent where it has no name. */
  readonly name?: string;
  /** The range of the name. */
  readonly nameRange?: TextRange;
  /** The block itself, with its modifiers. */
  readonly range: TextRange;
  /**
   * As `range`, including comments and attributes on the lines directly above. Equals `range` where
   * there are none.
   */
  readonly fullRange: TextRange;
  /** Its content, including brackets where it has some. */
  readonly body?: TextRange;
  /** Nested blocks, in the order of the text. */
  readonly children: readonly Block[];
}

/**
 * The blocks around `offset`, in UTF-16 units, outermost first; empty where there is none. A block
 * includes its start and its end, and the comments and attributes above it (`fullRange`). Between
 * two adjacent blocks the later one counts.
 */
export function enclosingBlocks(blocks: readonly Block[], offset: number): Block[] {
  const path: Block[] = [];
  for (let level = blocks; ; ) {
    const block = at(level, offset);
    if (block === undefined) return path;
    path.push(block);
    level = block.children;
  }
}

/**
 * The innermost block around `offset`, as {@link enclosingBlocks} finds it; `undefined` between
 * blocks.
 */
export function blockAt(blocks: readonly Block[], offset: number): Block | undefined {
  return enclosingBlocks(blocks, offset).at(-1);
}

/** All blocks in the order of the text, each before its nested ones. */
export function* allBlocks(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    yield* allBlocks(block.children);
  }
}

/** Prints a block in one line for tests and logs: `declaration function total [120, 260)`. */
export function printBlock({ kind, what, name, range }: Block): string {
  return `${kind} ${what}${name === undefined ? "" : ` ${name}`} [${range.start}, ${range.end})`;
}

/** Where two blocks touch at `offset`, the one that starts there is returned. */
function at(level: readonly Block[], offset: number): Block | undefined {
  let low = 0;
  let high = level.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (level[middle]!.fullRange.start <= offset) low = middle + 1;
    else high = middle;
  }
  const block = level[low - 1];
  return block !== undefined && offset <= block.fullRange.end ? block : undefined;
}
