import type { TextRange } from "../text/range.ts";

/** What a block is to the text around it. */
export type BlockKind = "declaration" | "member" | "statement";

/**
 * What a block is by itself, in one vocabulary for all languages.
 *
 * A class is also a struct, a record or a union; an interface also a trait; an implementation is
 * Rust's `impl`; a namespace also a package or a module; a case belongs to an enumeration (then it
 * is a member) or to a switch; an element is HTML's, a rule CSS's.
 */
export type BlockWhat =
  | "function"
  | "class"
  | "interface"
  | "implementation"
  | "enum"
  | "type"
  | "namespace"
  | "variable"
  | "import"
  | "export"
  | "macro"
  | "test"
  | "element"
  | "rule"
  | "method"
  | "constructor"
  | "field"
  | "property"
  | "case"
  | "expression"
  | "if"
  | "loop"
  | "switch"
  | "try"
  | "return"
  | "throw"
  | "jump"
  | "block"
  | "other";

/**
 * A piece of a program that can be named, moved or replaced as a whole. Plain data; offsets are
 * UTF-16, half-open.
 */
export interface Block {
  readonly kind: BlockKind;
  readonly what: BlockWhat;
  /** What the source calls it, without quotes; absent where it has no name. */
  readonly name?: string;
  /** The range of the name. */
  readonly nameRange?: TextRange;
  /** The block itself, with its modifiers. */
  readonly range: TextRange;
  /**
   * As `range`, from the comments and attributes on the lines right above. Equals `range` where
   * there are none.
   */
  readonly fullRange: TextRange;
  /** What is inside, with its brackets where it has some. */
  readonly body?: TextRange;
  /** The blocks inside, in the order of the text. */
  readonly children: readonly Block[];
}

/**
 * The blocks around `offset`, the outermost first. A block holds the offsets from its start to its
 * end, both included.
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
 * The innermost block around `offset`, comments and attributes above it included, or `undefined`
 * between blocks.
 */
export function blockAt(blocks: readonly Block[], offset: number): Block | undefined {
  return enclosingBlocks(blocks, offset).at(-1);
}

/** Every block, each before those inside it. */
export function* allBlocks(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    yield* allBlocks(block.children);
  }
}

/**
 * Prints a block in one line, as tests and logs show it: `declaration function total [120, 260)`.
 */
export function printBlock({ kind, what, name, range }: Block): string {
  return `${kind} ${what}${name === undefined ? "" : ` ${name}`} [${range.start}, ${range.end})`;
}

/** Where two blocks touch at `offset`, the one that starts there is meant. */
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
