import { languageOf } from "../syntax/index.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/**
 * The texts of a workspace and who says which word, kept in memory: about twice the size of the source.
 *
 * Law: it answers as if it had been told only the texts that there are now.
 */
export class TextIndex implements WorkspaceTexts {
  readonly #texts = new Map<string, string>();
  /** The files whose words are not counted since they changed, with the texts of which they are; `undefined` for a new file. */
  readonly #stale = new Map<string, string | undefined>();
  readonly #wordsOf = new Map<string, Set<string>>();
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
    const before = this.#texts.get(path);
    if (before === text) return;
    if (!this.#stale.has(path)) this.#stale.set(path, before);
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, text);
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
    for (const [path, before = ""] of this.#stale) {
      const text = this.#texts.get(path) ?? "";
      const said = this.#wordsOf.get(path) ?? new Set<string>();
      const { lost, got } = changedWords(before, text);
      for (const one of lost) {
        // It may be said elsewhere in the file.
        if (got.has(one) || !said.has(one) || saysWord(text, one)) continue;
        said.delete(one);
        this.#drop(one, path);
      }
      for (const one of got) {
        if (said.has(one)) continue;
        said.add(one);
        this.#add(one, path);
      }
      if (said.size === 0) this.#wordsOf.delete(path);
      else this.#wordsOf.set(path, said);
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
const blank = /\s/;

/** The words of what two texts do not share at their ends: what stands between blanks is taken whole. */
function changedWords(before: string, after: string): { readonly lost: Set<string>; readonly got: Set<string> } {
  const shorter = Math.min(before.length, after.length);
  let front = 0;
  while (front < shorter && before.charCodeAt(front) === after.charCodeAt(front)) front++;
  while (front > 0 && !blank.test(before[front - 1]!)) front--;
  let back = 0;
  const isSame = (at: number) => before.charCodeAt(before.length - 1 - at) === after.charCodeAt(after.length - 1 - at);
  while (back < shorter - front && isSame(back)) back++;
  while (back > 0 && !blank.test(before.at(-back)!)) back--;
  const wordsOf = (text: string) => new Set(text.slice(front, text.length - back).match(word) ?? []);
  return { lost: wordsOf(before), got: wordsOf(after) };
}

/** Whether a text says a word. */
function saysWord(text: string, wanted: string): boolean {
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
    // A word has no half of a surrogate pair at its ends, so that what stands beside it is a whole character, or the half of one that is none.
    const isWhole = !endsInWord.test(text.slice(Math.max(0, at - 2), at));
    if (isWhole && !beginsInWord.test(text.slice(at + wanted.length, at + wanted.length + 2))) return true;
  }
  return false;
}

const endsInWord = /[\p{L}\p{M}\p{N}_$]$/u;
const beginsInWord = /^[\p{L}\p{M}\p{N}_$]/u;
