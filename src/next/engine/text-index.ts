import { type ModuleFiles, ModuleResolver } from "../../names/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { copyText } from "../../text/index.ts";

/**
 * The texts of a workspace and an index of their words, in memory.
 *
 * Law: its answers depend on the present texts only.
 */
export class TextIndex implements WorkspaceTexts, ModuleFiles {
  /** Resolves the module names of scripts to these files. */
  readonly modules = new ModuleResolver(this);
  readonly #texts = new Map<string, string>();
  /**
   * Files whose words are to be indexed again, with the text that was indexed last; `undefined` for
   * a new file.
   */
  readonly #stale = new Map<string, string | undefined>();
  /** The files of each word. Most words are in one file; a set for each of them would be large. */
  readonly #pathsOf = new Map<string, string | Set<string>>();
  readonly #yieldThread: (() => Promise<void>) | undefined;
  /**
   * The indexing in progress of one file. A later text is compared with the text that it began
   * with.
   */
  #indexing: Iterator<void, void> | undefined;
  #open: readonly string[] = [];
  #layout = 0;

  /** `yieldThread` lets timers, signals and I/O run while many words are indexed. */
  constructor(yieldThread?: () => Promise<void>) {
    this.#yieldThread = yieldThread;
  }

  /** The files open in an editor, the most recently viewed first. */
  get open(): readonly string[] {
    return this.#open;
  }

  /** A number that grows when a file comes or goes, and when a JSON file changes. */
  get layout(): number {
    return this.#layout;
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
    if (!this.#stale.has(path)) this.#stale.set(path, before);
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
    const paths = this.#pathsOf.get(first) ?? [];
    const candidates = typeof paths === "string" ? [paths] : [...paths];
    return candidates.filter((path) => others.every((word) => this.#isIn(word, path)));
  }

  /** Indexes the words of all changed files at once. */
  settle(): void {
    while (this.#indexSlice()) {}
  }

  /** Indexes the words of all changed files in slices, so that the next query need not wait. */
  async settled(): Promise<void> {
    while (this.#indexSlice()) await this.#yieldThread?.();
  }

  /** Indexes one slice of words; returns whether any may be left. */
  #indexSlice(): boolean {
    if (this.#indexing === undefined) {
      const [next] = this.#stale;
      if (next === undefined) return false;
      const [path, before = ""] = next;
      this.#stale.delete(path);
      this.#indexing = this.#indexFile(path, before, this.#texts.get(path) ?? "");
    }
    if (this.#indexing.next().done === true) this.#indexing = undefined;
    return this.#indexing !== undefined || this.#stale.size > 0;
  }

  /** Indexes a file's words, and yields after each slice. */
  *#indexFile(path: string, before: string, text: string): Generator<void, void> {
    const { front, back } = changedStretch(before, text);
    const lost = yield* wordsOf(before.slice(front, before.length - back));
    const got = yield* wordsOf(text.slice(front, text.length - back));
    const all = lost.size > fewWords ? yield* wordsOf(text) : undefined;
    let steps = 0;
    for (const one of lost) {
      if (++steps % wordsPerSlice === 0) yield;
      // The word may occur elsewhere in the file.
      if (!got.has(one) && !(all === undefined ? containsWord(text, one) : all.has(one))) this.#drop(one, path);
    }
    for (const one of got) {
      if (++steps % wordsPerSlice === 0) yield;
      this.#add(one, path);
    }
  }

  #isIn(word: string, path: string): boolean {
    const paths = this.#pathsOf.get(word);
    return typeof paths === "string" ? paths === path : paths?.has(path) === true;
  }

  #add(word: string, path: string): void {
    const paths = this.#pathsOf.get(word);
    if (paths === undefined) this.#pathsOf.set(word, path);
    else if (typeof paths !== "string") paths.add(path);
    else if (paths !== path) this.#pathsOf.set(word, new Set([paths, path]));
  }

  #drop(word: string, path: string): void {
    const paths = this.#pathsOf.get(word);
    if (paths === path) this.#pathsOf.delete(word);
    else if (typeof paths === "object" && paths.delete(path) && paths.size === 0) this.#pathsOf.delete(word);
  }
}

/** A word, as {@link WorkspaceTexts.containing} defines it. */
const word = /[\p{L}\p{M}\p{N}_$]+/gu;
/** A character that is part of no word: white space, and ASCII punctuation except `$` and `_`. */
const separator = /[\s!-#%-/:-@[-^`{-~]/;

/** The words of one slice: about 10 milliseconds. */
const wordsPerSlice = 5_000;
/**
 * Up to this many words are searched for one by one; for more, all words of the text are collected.
 */
const fewWords = 16;

/**
 * The number of UTF-16 units that two texts share at their start and end, without words that are
 * shared in part.
 */
function changedStretch(before: string, after: string): { readonly front: number; readonly back: number } {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && before.charCodeAt(front) === after.charCodeAt(front)) front++;
  while (front > 0 && !separator.test(before[front - 1]!)) front--;
  let back = 0;
  const isSame = (at: number) => before.charCodeAt(before.length - 1 - at) === after.charCodeAt(after.length - 1 - at);
  while (back < shorter - front && isSame(back)) back++;
  while (back > 0 && !separator.test(before.at(-back)!)) back--;
  return { front, back };
}

/** Collects the words of a text, and yields after each slice. */
function* wordsOf(text: string): Generator<void, Set<string>> {
  const words = new Set<string>();
  let found = 0;
  for (const [one] of text.matchAll(word)) {
    if (!words.has(one)) words.add(copyText(one));
    if (++found % wordsPerSlice === 0) yield;
  }
  return words;
}

/** Whether a text contains a word as a whole. */
function containsWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    // A word begins and ends with whole characters, so what is beside it is a whole character or a
    // lone surrogate.
    const isWhole = !endsInWord.test(text.slice(Math.max(0, at - 2), at));
    if (isWhole && !beginsInWord.test(text.slice(at + wanted.length, at + wanted.length + 2))) return true;
  }
  return false;
}

const endsInWord = /[\p{L}\p{M}\p{N}_$]$/u;
const beginsInWord = /^[\p{L}\p{M}\p{N}_$]/u;

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
