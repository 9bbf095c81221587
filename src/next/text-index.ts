import { languageOf } from "../syntax/index.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/**
 * The texts of a workspace and who says which word, kept in memory: about twice the size of the source.
 *
 * Law: it answers as if it had been told only the texts that there are now.
 */
export class TextIndex implements WorkspaceTexts {
  readonly #texts = new Map<string, string>();
  /** The files whose words are not counted since they changed. */
  readonly #stale = new Set<string>();
  readonly #wordsOf = new Map<string, ReadonlySet<string>>();
  readonly #saying = new Map<string, Set<string>>();
  #open: readonly string[] = [];

  /** The files that are open in an editor, the one looked at last first. */
  get open(): readonly string[] {
    return this.#open;
  }

  /** Every file there is. */
  paths(): Iterable<string> {
    return this.#texts.keys();
  }

  /** Tells which files are open, the one looked at last first. */
  show(paths: readonly string[]): void {
    this.#open = [...paths];
  }

  /** Tells a file's text; `undefined` when it is gone. */
  update(path: string, text: string | undefined): void {
    if (this.#texts.get(path) === text) return;
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
    this.#stale.add(path);
  }

  textOf(path: string): string | undefined {
    return this.#texts.get(path);
  }

  languageOf(path: string): string {
    return languageOf(path).id;
  }

  saying(words: readonly string[]): readonly string[] {
    const [first, ...others] = [...new Set(words)];
    if (first === undefined) return [];
    this.settle();
    const sets = others.map((word) => this.#saying.get(word));
    return [...(this.#saying.get(first) ?? [])].filter((path) => sets.every((set) => set?.has(path) === true));
  }

  /** Counts the words of what changed, so that who asks next need not wait for it. */
  settle(): void {
    for (const path of this.#stale) {
      const before = this.#wordsOf.get(path) ?? new Set<string>();
      const after: ReadonlySet<string> = new Set(this.#texts.get(path)?.match(word) ?? []);
      for (const gone of before) if (!after.has(gone)) this.#drop(gone, path);
      for (const said of after) if (!before.has(said)) this.#add(said, path);
      if (after.size === 0) this.#wordsOf.delete(path);
      else this.#wordsOf.set(path, after);
    }
    this.#stale.clear();
  }

  #add(word: string, path: string): void {
    const paths = this.#saying.get(word);
    if (paths === undefined) this.#saying.set(word, new Set([path]));
    else paths.add(path);
  }

  #drop(word: string, path: string): void {
    const paths = this.#saying.get(word);
    paths?.delete(path);
    if (paths?.size === 0) this.#saying.delete(word);
  }
}

/** A word, as {@link WorkspaceTexts.saying} has it. */
const word = /[\p{L}\p{M}\p{N}_$]+/gu;
