import type { AbortOptions } from "../../async/index.ts";
import type { ScriptTree } from "../../names/index.ts";
import type { ChangedText } from "../../workspace/index.ts";
import type { BlockReader } from "../graph/block-reader.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { AtomicChange } from "./atomic-change.ts";
import { classifiedChanges } from "./classify-changes.ts";

/** The options of {@link ParseCache}. */
export interface ParseCacheOptions {
  /**
   * Lets timers, signals and I/O run between two long texts; without it they are read without a
   * pause.
   */
  readonly yieldThread?: () => Promise<void>;
  /**
   * The number of texts that are cached whatever their length. Default: 2, the edited file before
   * and after.
   */
  readonly leastTexts?: number;
  /** The most UTF-16 units of all cached texts together, beyond these. Default: 500,000. */
  readonly maxCharacters?: number;
}

/**
 * A cache of the blocks and syntax trees of texts, bounded by count and size. One text is read
 * several times during a request.
 */
export class ParseCache {
  readonly #reader: Pick<BlockReader, "tryBlocks" | "tryBlocksInSlices" | "tryScript">;
  readonly #options: ParseCacheOptions;
  /** The most recently used is the last. */
  #known: ReadState[] = [];

  /** The languages that `reader` needs must be loaded. */
  constructor(
    reader: Pick<BlockReader, "tryBlocks" | "tryBlocksInSlices" | "tryScript">,
    options: ParseCacheOptions = {},
  ) {
    this.#reader = reader;
    this.#options = options;
  }

  /**
   * Reads the blocks of changed files before and after in slices, so that {@link blocksOf} finds
   * them in the cache. Rejects with the signal's reason.
   */
  async prepare(changes: ReadonlyMap<string, ChangedText>, { signal }: AbortOptions = {}): Promise<void> {
    for (const [path, { before, after }] of changes)
      for (const text of [before, after]) if (text !== undefined) await this.blocksInSlices(path, text, { signal });
  }

  /**
   * As {@link blocksOf}, in slices, with a pause before a long text. Rejects with the signal's
   * reason.
   */
  async blocksInSlices(path: string, text: string, { signal }: AbortOptions = {}): Promise<readonly CodeBlock[]> {
    await this.#rest(text.length, signal);
    return this.#readBlocks(path, text);
  }

  /**
   * Returns the atomic changes between the texts of changed files, and pauses between long texts.
   * Rejects with the signal's reason.
   */
  async atomicChanges(
    changes: ReadonlyMap<string, ChangedText>,
    { signal }: AbortOptions = {},
  ): Promise<readonly AtomicChange[]> {
    const isLong = [...changes.values()].some(({ after = "" }) => after.length >= longCharacters);
    return classifiedChanges({
      ...{ changed: changes, signal, yieldThread: isLong ? this.#options.yieldThread : undefined },
      blocksOf: (path, text) => this.#readBlocks(path, text),
    });
  }

  async #readBlocks(path: string, text: string): Promise<readonly CodeBlock[]> {
    const state = this.#stateOf(path, text);
    state.blocks ??= (await this.#reader.tryBlocksInSlices(path, text, state.tree?.read)) ?? [];
    return state.blocks;
  }

  async #rest(characters: number, signal: AbortSignal | undefined): Promise<void> {
    if (characters >= longCharacters) await this.#options.yieldThread?.();
    signal?.throwIfAborted();
  }

  /** Returns the blocks of a text; an empty list where it cannot be parsed. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const state = this.#stateOf(path, text);
    state.blocks ??= this.#reader.tryBlocks(path, text, state.tree?.read) ?? [];
    return state.blocks;
  }

  /**
   * Returns the tree of a script; `undefined` for other languages and where it cannot be parsed.
   */
  treeOf(path: string, text: string): ScriptTree | undefined {
    const state = this.#stateOf(path, text);
    state.tree ??= { read: this.#reader.tryScript(path, text) };
    return state.tree.read;
  }

  /** Removes a file from the cache. */
  forget(path: string): void {
    this.#known = this.#known.filter((one) => one.path !== path);
  }

  #stateOf(path: string, text: string): ReadState {
    const index = this.#known.findIndex((one) => one.path === path && one.text === text);
    const state = this.#known[index] ?? { path, text };
    if (index < 0 || index < this.#known.length - 1)
      this.#known = withinLimits([...this.#known.filter((one) => one !== state), state], this.#options);
    return state;
  }
}

/**
 * Timers and I/O run before a text of at least this many UTF-16 units is read, which takes some 5
 * milliseconds.
 */
const longCharacters = 10_000;

/**
 * The most texts that are cached. With what is derived from it, a list of blocks takes about 50
 * bytes a UTF-16 unit.
 */
const maxStates = 48;

interface ReadState {
  readonly path: string;
  readonly text: string;
  blocks?: readonly CodeBlock[];
  tree?: { readonly read: ScriptTree | undefined };
}

function withinLimits(
  states: readonly ReadState[],
  { leastTexts = 2, maxCharacters = 500_000 }: ParseCacheOptions,
): ReadState[] {
  let characters = 0;
  const kept = states.toReversed().findIndex(({ text }, index) => {
    characters += text.length;
    return index >= maxStates || (index >= leastTexts && characters > maxCharacters);
  });
  return kept < 0 ? [...states] : states.slice(-kept);
}
