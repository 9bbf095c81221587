import { LRUCache } from "lru-cache";
import type { TextRange } from "../text/index.ts";
import { WordTable } from "./word-table.ts";
import { type WordedLines, wordLines } from "./worded-lines.ts";

/** Lines of another file that may help. */
export interface Snippet {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** Which lines of it, `[start, end)` from 0. */
  readonly lines: TextRange;
  readonly text: string;
  /** Above 0; greater is better. Only scores that one search gave can be compared. */
  readonly score: number;
}

/** A file that is open in the editor, with its text there. */
export interface OpenFile {
  /** The file's path from the workspace's root. */
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly text: string;
}

/**
 * How two texts are compared.
 *
 * `weighted`: by identifiers and their parts; a word weighs the more the fewer of the files have
 * it. `plain-jaccard`: by plain words that weigh all the same, as Copilot did it.
 */
export type SimilarityMode = "weighted" | "plain-jaccard";

/** What {@link SimilarSnippets} goes by. */
export interface SimilarSnippetsOptions {
  /** Default: `weighted`. */
  readonly mode?: SimilarityMode;
  /** How many lines a window has; default: 60. */
  readonly windowLines?: number;
  /** How much of one file is compared, in UTF-16 units, from its beginning; default: 200,000. */
  readonly maxCharacters?: number;
  /** How many files are remembered; default: 100. */
  readonly maxFiles?: number;
}

/** A file in which to look. */
export interface NeighbourFile {
  readonly path: string;
  readonly text: string;
}

/** One distinct word of a file and its lines, kept as ranges of one list. */
interface WordedFile {
  readonly text: string;
  readonly lines: WordedLines;
  readonly windows: number;
  /** The distinct words, as numbers. */
  readonly ids: Int32Array;
  /** Where the lines of each word begin in `places`, and behind the last how many there are. */
  readonly starts: Int32Array;
  /** For each word its lines, ascending, each once. */
  readonly places: Int32Array;
  /** The weight of all words of each window, and for which weights that holds. */
  readonly totals: Float64Array;
  weightsOf: number;
}

/**
 * Finds the window of each file that is most like the text before a cursor: Jaccard's index of
 * their words, over every window of 60 lines.
 *
 * A file is read once, in time linear in its size, and remembered with its text; memory is bounded
 * by the number of files and their clipped sizes, a few bytes a character. A search then touches
 * only the lines that contain a word of the cursor's surroundings.
 *
 * Law: the answer is that of comparing sets window by window.
 */
export class SimilarSnippets {
  readonly #kind: "plain" | "identifiers";
  readonly #windowLines: number;
  readonly #maxCharacters: number;
  #words = new WordTable();
  /** The files by path, the one that was used last at the end. */
  readonly #files: LRUCache<string, WordedFile>;
  /** How much each word weighs for the files of the last search. */
  #weights = new Float64Array(0);
  #weighedFiles: readonly WordedFile[] = [];
  #weighing = 0;
  /** 1 for each word before the cursor during a search. */
  #isWanted = new Uint8Array(0);
  #sums = new Float64Array(0);

  constructor(options: SimilarSnippetsOptions = {}) {
    this.#kind = options.mode === "plain-jaccard" ? "plain" : "identifiers";
    this.#windowLines = options.windowLines ?? 60;
    this.#maxCharacters = options.maxCharacters ?? 200_000;
    this.#files = new LRUCache({ max: options.maxFiles ?? 100 });
  }

  /** How many files are remembered. */
  get size(): number {
    return this.#files.size;
  }

  /**
   * The best window of each file that has a word in common, at most `limit` (default: 4) of them,
   * the worst first.
   *
   * `before` is the text before the cursor, or its end: its last lines, as many as a window has,
   * are compared.
   */
  find(before: string, files: readonly NeighbourFile[], limit = 4): Snippet[] {
    if (this.#words.size > maxWords) this.#forget();
    const reference = wordLines(lastLines(before, this.#windowLines), this.#words, { kind: this.#kind }).words;
    const worded = files.map((file) => this.#read(file));
    this.#weigh(worded);
    if (this.#isWanted.length < this.#words.size) this.#isWanted = new Uint8Array(this.#words.size * 2);

    let wanted = 0;
    for (const word of reference) {
      if (this.#isWanted[word] === 1) continue;
      this.#isWanted[word] = 1;
      wanted += this.#weightOf(word);
    }
    const found = worded.flatMap((file, i) => this.#best(file, files[i]!.path, wanted));
    for (const word of reference) this.#isWanted[word] = 0;
    return found.sort((one, other) => one.score - other.score).slice(-limit);
  }

  #best(file: WordedFile, path: string, wanted: number): Snippet[] {
    const { ids, lines, windows, totals } = file;
    if (this.#sums.length <= windows) this.#sums = new Float64Array(windows * 2 + 1);
    const sums = this.#sums.fill(0, 0, windows + 1);
    const isWanted = this.#isWanted;
    for (let i = 0; i < ids.length; i++) {
      if (isWanted[ids[i]!] === 1) this.#cover(sums, file, i, this.#weightOf(ids[i]!));
    }
    let best = 0;
    let bestWindow = -1;
    for (let window = 0, common = 0; window < windows; window++) {
      common += sums[window]!;
      const score = common / (wanted + totals[window]! - common);
      if (score > best) {
        best = score;
        bestWindow = window;
      }
    }
    if (bestWindow < 0 || best < tiny) return [];
    const range = { start: bestWindow, end: Math.min(bestWindow + this.#windowLines, lines.count) };
    return [
      { path, lines: range, text: file.text.slice(lines.offsets[range.start], lines.offsets[range.end]), score: best },
    ];
  }

  /**
   * Adds `weight` to the differences of `sums` for every window with the file's word, once a
   * window.
   */
  #cover(sums: Float64Array, { starts, places, windows }: WordedFile, word: number, weight: number): void {
    const reach = this.#windowLines - 1;
    const end = starts[word + 1]!;
    let covered = -1;
    for (let i = starts[word]!; i < end; i++) {
      const line = places[i]!;
      const first = Math.max(line - reach, covered + 1);
      const last = Math.min(line, windows - 1);
      if (first > last) continue;
      sums[first]! += weight;
      sums[last + 1]! -= weight;
      covered = last;
    }
  }

  #read({ path, text }: NeighbourFile): WordedFile {
    let file = this.#files.get(path);
    // Equal texts are mostly the same string, and others mostly differ in length: this costs
    // nothing.
    if (file?.text !== text) file = this.#count(text);
    this.#files.set(path, file);
    return file;
  }

  #count(text: string): WordedFile {
    const lines = wordLines(text, this.#words, { kind: this.#kind, maxCharacters: this.#maxCharacters });
    if (localIds.length < this.#words.size) localIds = new Int32Array(this.#words.size * 2).fill(-1);
    const { words, starts: lineStarts, count } = lines;
    const ids: number[] = [];
    // How often each word opens a line's list, then where its next place goes.
    const lengths: number[] = [];
    const lastLine: number[] = [];
    let total = 0;
    for (let line = 0; line < count; line++) {
      for (let i = lineStarts[line]!; i < lineStarts[line + 1]!; i++) {
        let id = localIds[words[i]!]!;
        if (id < 0) {
          id = ids.push(words[i]!) - 1;
          localIds[words[i]!] = id;
          lengths.push(0);
          lastLine.push(-1);
        }
        if (lastLine[id] === line) continue;
        lastLine[id] = line;
        lengths[id]!++;
        total++;
      }
    }
    const starts = new Int32Array(ids.length + 1);
    for (let id = 0; id < ids.length; id++) {
      starts[id + 1] = starts[id]! + lengths[id]!;
      lengths[id] = starts[id]!;
      lastLine[id] = -1;
    }
    const places = new Int32Array(total);
    for (let line = 0; line < count; line++) {
      for (let i = lineStarts[line]!; i < lineStarts[line + 1]!; i++) {
        const id = localIds[words[i]!]!;
        if (lastLine[id] === line) continue;
        lastLine[id] = line;
        places[lengths[id]!++] = line;
      }
    }
    for (const word of ids) localIds[word] = -1;
    const windows = Math.max(1, count - this.#windowLines + 1);
    return {
      ...{ text, lines, windows, starts, places },
      ids: Int32Array.from(ids),
      totals: new Float64Array(windows),
      weightsOf: -1,
    };
  }

  /**
   * Settles what each word weighs among these files, and sums that up for every window where it has
   * changed.
   */
  #weigh(files: readonly WordedFile[]): void {
    const isSame =
      files.length === this.#weighedFiles.length && files.every((file, i) => file === this.#weighedFiles[i]);
    if (!isSame && this.#kind === "identifiers") {
      if (this.#weights.length < this.#words.size) this.#weights = new Float64Array(this.#words.size * 2);
      const weights = this.#weights.fill(0);
      for (const { ids } of files) for (const id of ids) weights[id]!++;
      const rarity = Array.from({ length: files.length + 1 }, (_, n) => Math.log(1 + (files.length + 0.5) / (n + 0.5)));
      for (let id = 0; id < this.#words.size; id++) weights[id] = rarity[weights[id]!]!;
      this.#weighing++;
    }
    this.#weighedFiles = files;
    for (const file of files) {
      if (file.weightsOf === this.#weighing) continue;
      const totals = file.totals.fill(0);
      const sums = new Float64Array(file.windows + 1);
      for (let i = 0; i < file.ids.length; i++) this.#cover(sums, file, i, this.#weightOf(file.ids[i]!));
      for (let window = 0, sum = 0; window < file.windows; window++) totals[window] = sum += sums[window]!;
      file.weightsOf = this.#weighing;
    }
  }

  #weightOf(word: number): number {
    return this.#kind === "plain" ? 1 : this.#weights[word] || unseenWeight;
  }

  #forget(): void {
    this.#words = new WordTable();
    this.#files.clear();
    this.#weighedFiles = [];
    this.#weights = new Float64Array(0);
    this.#isWanted = new Uint8Array(0);
    this.#weighing++;
  }
}

/** With so many words known, the table is cleared: most are of texts that have changed since. */
const maxWords = 200_000;
/**
 * What a word weighs that no file has; it cannot be in common, and only makes all windows less
 * like.
 */
const unseenWeight = Math.log(41);
/** Sums of weights carry rounding errors; what is below is nothing in common. */
const tiny = 1e-9;

// Room that every call uses again: -1 for every word between calls.
let localIds = new Int32Array(1 << 10).fill(-1);

function lastLines(text: string, count: number): string {
  let start = text.length;
  for (let line = 0; line < count && start >= 0; line++) start = start === 0 ? -1 : text.lastIndexOf("\n", start - 1);
  return text.slice(start + 1);
}
