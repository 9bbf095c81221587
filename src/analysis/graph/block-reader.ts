import { runStepsInTurns } from "../../async/index.ts";
import { type ScriptTree, type ScriptTreeParser, tryScriptTree } from "../../names/index.ts";
import { languageOf, type Syntax, type SyntaxTree, scriptKindOf } from "../../syntax/index.ts";
import type { CodeBlock } from "./code-block.ts";
import { scriptBlocks } from "./script-blocks.ts";
import { treeBlocks, treeBlocksInSlices } from "./tree-blocks.ts";

/** The tree of a text, and the blocks that were read from it. */
export interface ParsedBlocks {
  readonly tree: SyntaxTree;
  readonly blocks: readonly CodeBlock[];
}

/** Dependencies and limits of a {@link BlockReader}, which doesn't dispose the syntax. */
export interface BlockReaderOptions {
  readonly parseScript: ScriptTreeParser;
  readonly syntax: Pick<Syntax, "load" | "tryParse" | "tryParseInSlices">;
  /**
   * Texts longer than this, in UTF-16 units, have no blocks, so that parsing doesn't block the
   * thread for long. Default: no limit.
   */
  readonly maxCharacters?: number;
  /** Lets timers, signals and I/O run while a long text is read in slices. */
  readonly yieldThread?: (() => Promise<void>) | undefined;
  /** Called with each tree that is read in slices, which is disposed of afterwards. */
  readonly onTree?: ((path: string, parsed: ParsedBlocks) => Promise<void>) | undefined;
}

/** The length of a script, in UTF-16 units, that takes some 5 milliseconds to read. */
const longCharacters = 10_000;

/**
 * Finds the blocks of a file: scripts with their own parser, other languages with their grammars.
 */
export class BlockReader {
  readonly #options: BlockReaderOptions;

  constructor(options: BlockReaderOptions) {
    this.#options = options;
  }

  /**
   * Loads the grammars that the files at these paths need. Scripts need one as well, for text that
   * the script parser rejects.
   */
  async load(paths: Iterable<string>): Promise<void> {
    const ids = new Set(Array.from(paths, (path) => languageOf(path).id));
    for (const id of ids) await this.#options.syntax.load(id);
  }

  /**
   * Returns the blocks of a file in text order, or `undefined` if its language has no loaded
   * grammar, or the text is too long or nests too deeply.
   *
   * A script that the script parser rejects is read with its grammar, which recovers what it can.
   * `script` is the tree of {@link tryScript}, where the caller has it.
   */
  tryBlocks(path: string, text: string, script = this.tryScript(path, text)): CodeBlock[] | undefined {
    if (this.#isTooLong(text)) return undefined;
    if (script !== undefined) return scriptBlocks(path, withoutMark(text), script);
    const tree = this.#options.syntax.tryParse({ language: languageAt(path, text), text });
    if (tree === undefined) return undefined;
    try {
      return treeBlocks(path, tree);
    } finally {
      tree[Symbol.dispose]();
    }
  }

  /**
   * As {@link tryBlocks}, in slices, so that other work can run. A script that its own parser reads
   * is parsed without pauses, but the work of the caller begins after one.
   */
  async tryBlocksInSlices(
    path: string,
    text: string,
    script = this.tryScript(path, text),
  ): Promise<CodeBlock[] | undefined> {
    if (this.#isTooLong(text)) return undefined;
    const { syntax, yieldThread, onTree } = this.#options;
    if (script !== undefined) {
      const blocks = scriptBlocks(path, withoutMark(text), script);
      if (text.length >= longCharacters) await yieldThread?.();
      return blocks;
    }
    const tree = await syntax.tryParseInSlices({ language: languageAt(path, text), text });
    if (tree === undefined) return undefined;
    try {
      const blocks = await runStepsInTurns(treeBlocksInSlices(path, tree), async () => yieldThread?.());
      await onTree?.(path, { tree, blocks });
      return blocks;
    } finally {
      tree[Symbol.dispose]();
    }
  }

  /**
   * The tree of a script, or `undefined` for other languages and for text that can't be parsed.
   * Offsets include a byte order mark.
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
 * Replaces a byte order mark, and the `#!` line after it, which the parser would reject there, by
 * spaces. The length stays the same.
 */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF(#!)?/, (_, hash?: string) => (hash === undefined ? " " : " //"));
}

function languageAt(path: string, text: string): string {
  return languageOf(path, firstLine(text)).id;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
