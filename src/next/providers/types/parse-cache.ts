import { type AtomicChange, type BlockReader, type CodeBlock, classifiedChanges } from "../../../analysis/index.ts";
import type { AbortOptions } from "../../../async/index.ts";
import type { ScriptTree } from "../../../names/index.ts";
import type { PastChange } from "./past-change.ts";

type ParseCacheReader = Pick<BlockReader, "tryBlocks" | "tryBlocksInSlices" | "tryScript">;

/**
 * A cache of the blocks and syntax trees of texts, bounded by count and size. One text is read
 * several times during a request.
 */
export class ParseCache {
  readonly #reader: ParseCacheReader;
  /** The most recently used is the last. */
  #known: ReadState[] = [];

  readonly #yieldThread: (() => Promise<void>) | undefined;

  /**
   * The languages that `reader` needs must be loaded. `yieldThread` lets timers, signals and I/O
   * run between two long texts; without it they are read without a pause.
   */
  constructor(reader: ParseCacheReader, yieldThread?: () => Promise<void>) {
    this.#reader = reader;
    this.#yieldThread = yieldThread;
  }

  /**
   * Reads the blocks of changed files before and after in slices, so that {@link blocksOf} finds
   * them in the cache. Rejects with the signal's reason.
   */
  async prepare(changes: ReadonlyMap<string, PastChange>, { signal }: AbortOptions = {}): Promise<void> {
    for (const [path, { before, after }] of changes)
      for (const text of [before, after]) await this.blocksInSlices(path, text, { signal });
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
    changes: ReadonlyMap<string, PastChange>,
    { signal }: AbortOptions = {},
  ): Promise<readonly AtomicChange[]> {
    const isLong = [...changes.values()].some(({ after }) => after.length >= longCharacters);
    return classifiedChanges({
      ...{ changed: changes, signal, yieldThread: isLong ? this.#yieldThread : undefined },
      blocksOf: (path, text) => this.#readBlocks(path, text),
    });
  }

  async #readBlocks(path: string, text: string): Promise<readonly CodeBlock[]> {
    const state = this.#stateOf(path, text);
    state.blocks ??= (await this.#reader.tryBlocksInSlices(path, text)) ?? [];
    return state.blocks;
  }

  async #rest(characters: number, signal: AbortSignal | undefined): Promise<void> {
    if (characters >= longCharacters) await this.#yieldThread?.();
    signal?.throwIfAborted();
  }

  /** Returns the blocks of a text; an empty list where it cannot be parsed. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const state = this.#stateOf(path, text);
    state.blocks ??= this.#reader.tryBlocks(path, text) ?? [];
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
      this.#known = withinLimits([...this.#known.filter((one) => one !== state), state]);
    return state;
  }
}

/**
 * Timers and I/O run before a text of at least this many UTF-16 units is read, which takes some 5
 * milliseconds.
 */
const longCharacters = 10_000;

/**
 * How many texts are cached, and how many UTF-16 units together: with what is derived from it, a
 * list of blocks takes about 50 bytes a unit.
 */
const maxStates = 48;
const maxCharacters = 500_000;
/** The number of texts that are cached whatever their length: the edited file before and after. */
const leastStates = 2;

interface ReadState {
  readonly path: string;
  readonly text: string;
  blocks?: readonly CodeBlock[];
  tree?: { readonly read: ScriptTree | undefined };
}

function withinLimits(states: readonly ReadState[]): ReadState[] {
  let characters = 0;
  const kept = states.toReversed().findIndex(({ text }, index) => {
    characters += text.length;
    return index >= maxStates || (index >= leastStates && characters > maxCharacters);
  });
  return kept < 0 ? [...states] : states.slice(-kept);
}
