import { LRUCache } from "lru-cache";
import { type ModuleFiles, ModuleResolver } from "../../names/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { getOrInsert } from "../../text/index.ts";
import { containsWord, hashOfWord, includesNumber, wordHashes } from "./word-hashes.ts";

/** Options of {@link TextIndex}. */
export interface TextIndexOptions {
  /** Lets timers, signals and I/O run while many words are indexed. */
  yieldThread?(): Promise<void>;
  /**
   * Whether the texts themselves are searched, a gigabyte a second, and no words are indexed, which
   * takes as long as 20 searches. It is for one request, which searches for some words. Default:
   * `false`.
   */
  readonly isForOneRequest?: boolean | undefined;
}

/**
 * The texts of a workspace and an index of their words, in memory.
 *
 * Law: its answers depend on the present texts only.
 */
export class TextIndex implements WorkspaceTexts, ModuleFiles {
  /** Resolves the module names of scripts to these files. */
  readonly modules = new ModuleResolver(this);
  readonly #texts = new Map<string, string>();
  /** Files whose words are to be indexed again. */
  readonly #stale = new Set<string>();
  /** The hashes of the words of each file. */
  readonly #hashesOf = new Map<string, Float64Array>();
  /**
   * The files of words that were searched for. A file that is indexed is entered into each of them.
   */
  readonly #answers = new LRUCache<string, Set<string>>({ max: maxAnswers });
  readonly #options: TextIndexOptions;
  /** The indexing in progress of one file. */
  #indexing: Iterator<void, void> | undefined;
  #open: readonly string[] = [];
  #layout = 0;
  #characters = 0;

  constructor(options: TextIndexOptions = {}) {
    this.#options = options;
  }

  /** The files open in an editor, the most recently viewed first. */
  get open(): readonly string[] {
    return this.#open;
  }

  /** A number that grows when a file comes or goes, and when a JSON file changes. */
  get layout(): number {
    return this.#layout;
  }

  /** The UTF-16 units of all texts together. */
  get characters(): number {
    return this.#characters;
  }

  /** The paths of all files. */
  paths(): Iterable<string> {
    return this.#texts.keys();
  }

  /** Sets the open files, the most recently viewed first. */
  show(paths: readonly string[]): void {
    this.#open = [...paths];
  }

  /** Sets a file's text; `undefined` removes the file. */
  update(path: string, text: string | undefined): void {
    const before = this.#texts.get(path);
    if (before === text) return;
    if (this.#options.isForOneRequest === true) this.#answers.clear();
    else this.#stale.add(path);
    this.#characters += (text?.length ?? 0) - (before?.length ?? 0);
    if (before === undefined || text === undefined || path.endsWith(".json")) this.#layout++;
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
  }

  /** Whether there is a file at `path`. */
  has(path: string): boolean {
    return this.#texts.has(path);
  }

  /** The text of a file; `undefined` where there is none. */
  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  /** The language id of a file, by its path alone. */
  languageOf(path: string): string {
    return languageOf(path).id;
  }

  /**
   * The paths of the files that contain all of these words; an empty list for no words. Changed
   * files are indexed first, without a pause; see {@link settled}.
   */
  containing(words: readonly string[]): readonly string[] {
    const [first, ...others] = [...new Set(words)];
    if (first === undefined) return [];
    this.settle();
    return [...this.#filesOf(first)].filter((path) => others.every((word) => this.#contains(path, word)));
  }

  /** Indexes the words of all changed files at once. */
  settle(): void {
    while (this.#indexSlice()) {}
  }

  /** Indexes the words of all changed files in slices, so that the next query need not wait. */
  async settled(): Promise<void> {
    while (this.#indexSlice()) await this.#options.yieldThread?.();
  }

  /** Indexes one slice of words; returns whether any may be left. */
  #indexSlice(): boolean {
    if (this.#indexing === undefined) {
      const [path] = this.#stale;
      if (path === undefined) return false;
      this.#stale.delete(path);
      this.#indexing = this.#indexFile(path);
    }
    if (this.#indexing.next().done === true) this.#indexing = undefined;
    return this.#indexing !== undefined || this.#stale.size > 0;
  }

  /** Indexes a file's words, and yields after each slice. */
  *#indexFile(path: string): Generator<void, void> {
    const text = this.#texts.get(path);
    if (text === undefined) this.#hashesOf.delete(path);
    else this.#hashesOf.set(path, yield* wordHashes(text));
    for (const [word, paths] of this.#answers.entries()) {
      if (this.#contains(path, word)) paths.add(path);
      else paths.delete(path);
    }
  }

  #filesOf(word: string): ReadonlySet<string> {
    const find = () => new Set([...this.#texts.keys()].filter((path) => this.#contains(path, word)));
    return getOrInsert<string, Set<string>>(this.#answers, word, find);
  }

  #contains(path: string, word: string): boolean {
    if (this.#options.isForOneRequest === true) return containsWord(this.#texts.get(path) ?? "", word);
    const hashes = this.#hashesOf.get(path);
    return hashes !== undefined && includesNumber(hashes, hashOfWord(word));
  }
}

/** The most words whose files are cached. */
const maxAnswers = 500;

/** The present files of a workspace: as editors show them where they are open, else as on disk. */
export interface WorkspaceTexts {
  /** The files open in an editor, the most recently viewed first. */
  readonly open: readonly string[];
  /** Resolves the module names of scripts to these files. */
  readonly modules: ModuleResolver;
  /**
   * The text of the file at `path`, relative to the workspace's root; `undefined` where there is
   * none or it may not be read.
   */
  textOf(path: string): string | undefined;
  /** The file's language id, as in the language registry. */
  languageOf(path: string): string;
  /**
   * The paths of the files that contain all of these words, in no particular order. A word is a run
   * of letters, digits, `_` and `$`.
   */
  containing(words: readonly string[]): readonly string[];
  /**
   * Resolves when {@link containing} need not index words first. Indexing lets other work run
   * between slices. Absent where there is nothing to wait for.
   */
  settled?(): Promise<void>;
}
