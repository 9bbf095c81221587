import { languageOf, scriptKindOf } from "../../syntax/language.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { CodeBlock } from "./code-block.ts";
import { scriptBlocks } from "./script-blocks.ts";
import { type ScriptTree, type ScriptTreeParser, tryScriptTree } from "./script-tree.ts";
import { treeBlocks } from "./tree-blocks.ts";

/** What a {@link BlockReader} reads with. The syntax stays its owner's. */
export interface BlockReaderOptions {
  readonly parseScript: ScriptTreeParser;
  readonly syntax: Pick<Syntax, "load" | "tryParse">;
}

/** Finds the blocks of any file: of scripts by their own parser, of other languages by their grammars. */
export class BlockReader {
  readonly #options: BlockReaderOptions;

  constructor(options: BlockReaderOptions) {
    this.#options = options;
  }

  /** Loads the grammars that the files at these paths need, those of scripts too, which are read by them when broken. */
  async load(paths: Iterable<string>): Promise<void> {
    const ids = new Set(Array.from(paths, (path) => languageOf(path).id));
    for (const id of ids) await this.#options.syntax.load(id);
  }

  /**
   * The blocks of a file, in the order of its text; `undefined` where its language has no grammar or none is loaded.
   *
   * A script that its parser gives up on is read by its grammar, which makes out what it can.
   */
  tryBlocks(path: string, text: string): CodeBlock[] | undefined {
    const script = this.tryScript(path, text);
    if (script !== undefined) return scriptBlocks(path, withoutMark(text), script);
    const tree = this.#options.syntax.tryParse({ language: languageOf(path, firstLine(text)).id, text });
    if (tree === undefined) return undefined;
    try {
      return treeBlocks(path, tree);
    } finally {
      tree[Symbol.dispose]();
    }
  }

  /** The tree of a script, or `undefined` for other languages and for what cannot be read. Its offsets count a byte order mark. */
  tryScript(path: string, text: string): ScriptTree | undefined {
    const kind = scriptKindOf(languageOf(path, firstLine(text)), path);
    if (kind === undefined) return undefined;
    return tryScriptTree(this.#options.parseScript, { path, text: withoutMark(text), kind });
  }
}

/** A text of the same length that begins with a space in place of a byte order mark, and of a `#!` line behind it, which would be none. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF(#!)?/, (_, hash?: string) => (hash === undefined ? " " : " //"));
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}
