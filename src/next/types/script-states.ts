import type { BlockReader, CodeBlock, ScriptTree } from "../../codebase/index.ts";

/** Blocks and trees of texts, those asked for last kept: each text is asked about several times while it is looked at. */
export class ScriptStates {
  readonly #reader: Pick<BlockReader, "tryBlocks" | "tryScript">;
  /** The one asked last is the last. */
  #known: ReadState[] = [];

  /** The reader has what it needs loaded. */
  constructor(reader: Pick<BlockReader, "tryBlocks" | "tryScript">) {
    this.#reader = reader;
  }

  /** The blocks of a text; none where they cannot be read. */
  blocksOf(path: string, text: string): readonly CodeBlock[] {
    const state = this.#stateOf(path, text);
    state.blocks ??= this.#reader.tryBlocks(path, text) ?? [];
    return state.blocks;
  }

  /** The tree of a script; `undefined` for other languages and for what cannot be read. */
  treeOf(path: string, text: string): ScriptTree | undefined {
    const state = this.#stateOf(path, text);
    state.tree ??= { read: this.#reader.tryScript(path, text) };
    return state.tree.read;
  }

  #stateOf(path: string, text: string): ReadState {
    const index = this.#known.findIndex((one) => one.path === path && one.text === text);
    const state = this.#known[index] ?? { path, text };
    if (index < 0 || index < this.#known.length - 1)
      this.#known = withinLimits([...this.#known.filter((one) => one !== state), state]);
    return state;
  }
}

/** How many texts are kept, and of how many UTF-16 units together: what is known of a text takes several times its room. */
const maxStates = 48;
const maxCharacters = 4_000_000;
/** So many are kept however long they are: what an edit is looked at with, its file before and after. */
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
