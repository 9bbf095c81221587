import { languageOf, scriptKindOf } from "../../syntax/language.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { SyntaxTree } from "../../syntax/tree.ts";
import type { CodeBlock } from "./code-block.ts";
import { scriptBlocks } from "./script-blocks.ts";
import { type ScriptTree, type ScriptTreeParser, tryScriptTree } from "./script-tree.ts";
import { treeBlocks } from "./tree-blocks.ts";

/** What a {@link BlockReader} reads with. The syntax stays its owner's. */
export interface BlockReaderOptions {
  readonly parseScript: ScriptTreeParser;
  readonly syntax: Pick<Syntax, "load" | "tryParse" | "tryParseInSlices">;
  /**
   * Longer texts, in UTF-16 units, are not read, where others wait for the thread. No limit unless
   * told.
   */
  readonly maxCharacters?: number;
}

/**
 * Finds the blocks of any file: of scripts by their own parser, of other languages by their
 * grammars.
 */
export class BlockReader {
  readonly #options: BlockReaderOptions;

  constructor(options: BlockReaderOptions) {
    this.#options = options;
  }

  /**
   * Loads the grammars that the files at these paths need, those of scripts too, which are read by
   * them when broken.
   */
  async load(paths: Iterable<string>): Promise<void> {
    const ids = new Set(Array.from(paths, (path) => languageOf(path).id));
    for (const id of ids) await this.#options.syntax.load(id);
  }

  /**
   * The blocks of a file, in the order of its text; `undefined` where its language has no grammar
   * or none is loaded, and for a text that is too long.
   *
   * A script that its parser gives up on is read by its grammar, which makes out what it can.
   */
  tryBlocks(path: string, text: string): CodeBlock[] | undefined {
    if (this.#isTooLong(text)) return undefined;
    const script = this.tryScript(path, text);
    if (script !== undefined) return scriptBlocks(path, withoutMark(text), script);
    return blocksOfTree(path, this.#options.syntax.tryParse({ language: languageAt(path, text), text }));
  }

  /** As {@link tryBlocks}, with pauses while a grammar parses, in which other work can run. */
  async tryBlocksInSlices(path: string, text: string): Promise<CodeBlock[] | undefined> {
    if (this.#isTooLong(text)) return undefined;
    const script = this.tryScript(path, text);
    if (script !== undefined) return scriptBlocks(path, withoutMark(text), script);
    return blocksOfTree(path, await this.#options.syntax.tryParseInSlices({ language: languageAt(path, text), text }));
  }

  /**
   * The tree of a script, or `undefined` for other languages and for what cannot be read. Its
   * offsets count a byte order mark.
   */
  tryScript(path: string, text: string): ScriptTree | undefined {
    const kind = scriptKindOf(languageOf(path, firstLine(text)), path);
    if (kind === undefined || this.#isTooLong(text)) return undefined;
    return tryScriptTree(this.#options.parseScript, { path, text: withoutMark(text), kind });
  }

  #isTooLong(text: string): boolean {
    return text.length > (this.#options.maxCharacters ?? Number.POSITIVE_INFINITY);
  }
}

/**
 * A text of the same length that begins with a space in place of a byte order mark, and of a `#!`
 * line behind it, which would be none.
 */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF(#!)?/, (_, hash?: string) => (hash === undefined ? " " : " //"));
}

/** The blocks of a tree, which is disposed. */
function blocksOfTree(path: string, tree: SyntaxTree | undefined): CodeBlock[] | undefined {
  if (tree === undefined) return undefined;
  try {
    return treeBlocks(path, tree);
  } finally {
    tree[Symbol.dispose]();
  }
}

function languageAt(path: string, text: string): string {
  return languageOf(path, firstLine(text)).id;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
