import { baseName, type CodeBlock } from "../graph/code-block.ts";
import { type CodeToken, layout, meaningOf, type TokenBag, tokenBag, tokensIn } from "./code-tokens.ts";

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

  get bag(): TokenBag {
    this.#bag ??= tokenBag(this.meaning);
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

/** Normalizes the quotes of a test title or a module specifier, which are formatting. */
export function withPlainQuotes(name: string): string {
  return name.replaceAll(/['`]/g, '"');
}

/**
 * The blocks of a file as a forest. `blocks` are in the order of the text, `tokens` are all tokens
 * of the file.
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
