import { languageOf } from "../../syntax/language.ts";
import { type PlainNode, plainTree } from "../../syntax/plain-tree.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import { csharpNames } from "./csharp-names.ts";
import type { NameFacts } from "./name-facts.ts";
import { NameIndex } from "./name-index.ts";
import { plainNames } from "./plain-names.ts";
import { pythonNames } from "./python-names.ts";
import type { FileReferences, ReferenceSource } from "./reference.ts";
import { resolveNames } from "./resolve-names.ts";
import { treeBlocks } from "./tree-blocks.ts";

/** Dependencies of {@link NameReferences}. */
export interface NameReferencesOptions {
  /** Not disposed. */
  readonly syntax: Pick<Syntax, "load" | "tryParseInSlices">;
  /** The text of a file that was never updated, or `undefined` if it doesn't exist. */
  readonly readText?: (path: string) => Promise<string | undefined>;
  /** The files that {@link NameReferencesOptions.readText} can read. */
  readonly paths?: readonly string[];
  /**
   * Lets timers, signals and I/O run; called between files. Without it, many files in memory block
   * the event loop.
   */
  readonly yieldThread?: () => Promise<void>;
}

/**
 * Languages whose classes, types and modules are analysed. Other languages are resolved by name
 * alone.
 */
const readers: Readonly<Record<string, (path: string, text: string, root: PlainNode) => NameFacts>> = {
  python: pythonNames,
  csharp: csharpNames,
};

/** Scripts have a type checker, and data files have no names. */
const others = ["java", "go", "rust", "c", "cpp", "ruby", "php"];

/** Number of files that are resolved before timers and signals run. */
const filesAtOnce = 8;

/**
 * Resolves names by syntax and name alone, for languages without a type checker. It can return too
 * many references, but by design not too few within a workspace: see {@link resolveNames}.
 *
 * Each file is parsed once for each text. Its names are resolved with the facts of all files. Law:
 * the answers depend only on the last texts, not on the updates that led to them.
 */
export class NameReferences implements ReferenceSource {
  readonly languages = [...Object.keys(readers), ...others];
  readonly #options: NameReferencesOptions;
  /** By language, then by path: names of different languages never match each other. */
  readonly #facts = new Map<string, Map<string, NameFacts>>();
  readonly #indexes = new Map<string, NameIndex>();
  #unread: readonly string[];

  constructor(options: NameReferencesOptions) {
    this.#options = options;
    this.#unread = options.paths ?? [];
  }

  async update(
    texts: ReadonlyMap<string, string | undefined>,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const unread = this.#unread;
    this.#unread = [];
    for (const path of unread) {
      await this.#options.yieldThread?.();
      signal?.throwIfAborted();
      if (!texts.has(path)) await this.#take(path, await this.#options.readText?.(path));
    }
    for (const [path, text] of texts) {
      await this.#options.yieldThread?.();
      signal?.throwIfAborted();
      await this.#take(path, text);
    }
  }

  async referencesOf(
    paths: readonly string[],
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<readonly FileReferences[]> {
    if (this.#unread.length > 0) await this.update(new Map(), options);
    const found: FileReferences[] = [];
    for (const [index, path] of paths.entries()) {
      if (index % filesAtOnce === filesAtOnce - 1) await this.#options.yieldThread?.();
      options.signal?.throwIfAborted();
      const language = languageOf(path).id;
      const facts = this.#facts.get(language)?.get(path);
      if (facts === undefined) found.push({ path, references: [], unresolved: 0, precision: "names" });
      else found.push(await this.#resolve(facts, this.#indexOf(language), options.signal));
    }
    return found;
  }

  async #resolve(facts: NameFacts, index: NameIndex, signal: AbortSignal | undefined): Promise<FileReferences> {
    const steps = resolveNames(facts, index);
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await this.#options.yieldThread?.();
      signal?.throwIfAborted();
    }
  }

  /** The known files of a language. */
  paths(language: string): Iterable<string> {
    return this.#facts.get(language)?.keys() ?? [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#facts.clear();
    this.#indexes.clear();
  }

  #indexOf(language: string): NameIndex {
    let index = this.#indexes.get(language);
    if (index === undefined) {
      // Sorted by path, so that the result doesn't depend on the order of updates.
      const files = [...this.#facts.get(language)!].sort(([a], [b]) => (a < b ? -1 : 1));
      index = new NameIndex(new Map(files), language);
      this.#indexes.set(language, index);
    }
    return index;
  }

  async #take(path: string, text: string | undefined): Promise<void> {
    const language = languageOf(path).id;
    if (!this.languages.includes(language)) return;
    let files = this.#facts.get(language);
    if (files === undefined) {
      files = new Map();
      this.#facts.set(language, files);
    }
    this.#indexes.delete(language);
    const facts = text === undefined ? undefined : await this.#read(path, text, language);
    if (facts === undefined) files.delete(path);
    else files.set(path, facts);
  }

  async #read(path: string, text: string, language: string): Promise<NameFacts | undefined> {
    await this.#options.syntax.load(language);
    const tree = await this.#options.syntax.tryParseInSlices({ language, text });
    if (tree === undefined) return undefined;
    try {
      const root = plainTree(tree);
      const reader = readers[language];
      if (reader !== undefined) return reader(path, text, root);
      return plainNames({ path, language, text, root, blocks: treeBlocks(path, tree) });
    } finally {
      tree[Symbol.dispose]();
    }
  }
}
