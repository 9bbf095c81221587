import { getOrInsert, type TextRange } from "../text/index.ts";
import { comparePaths, folderOf, nameOf, trySecretPath } from "../workspace/index.ts";
import type { Snippet } from "./similar-snippets.ts";
import { WordTable } from "./word-table.ts";
import { type WordedLines, wordLines } from "./worded-lines.ts";

/**
 * How many lines a block has; a window is two blocks that follow one another, and windows begin at
 * every block.
 */
export const blockLines = 10;

/** What a {@link CodeIndex} may hold. */
export interface CodeIndexOptions {
  /**
   * How much of one file is searched, in UTF-16 units; default: 400,000. The rest is kept as text
   * only.
   */
  readonly maxFileCharacters?: number;
  /** How much all files may have together; default: 100,000,000. Further files are not indexed. */
  readonly maxCharacters?: number;
}

/** A file as it is indexed. */
export interface IndexedFile {
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  readonly text: string;
  /** Its lines, and the words on them as numbers of {@link CodeIndex.words}. */
  readonly lines: WordedLines;
}

/** A word that is looked for, and how much it matters. */
export interface QueryWord {
  /** The word's number in {@link CodeIndex.words}. */
  readonly word: number;
  /** Above 0; multiplied with how rare the word is. */
  readonly weight: number;
}

/** Lines of a file that answer a query. */
export interface FoundWindow {
  readonly file: IndexedFile;
  /**
   * Which lines, `[start, end)` from 0: {@link blockLines} times two, fewer at the end of a file.
   */
  readonly lines: TextRange;
  /** Above 0; greater is better. Only scores of one query can be compared. */
  readonly score: number;
}

interface FileRecord extends IndexedFile {
  /**
   * The number of its first block; a block that is no one's lies in front of it and behind its
   * last.
   */
  firstBlock: number;
  readonly blockCount: number;
}

/**
 * The texts of a workspace, searched by words: BM25 over windows of 20 lines that begin at every
 * tenth line.
 *
 * Setting or deleting a file takes time in proportion to that file: what a file leaves behind is
 * swept once there is as much of it as of what is alive. Beside the texts themselves it takes about
 * 1.6 bytes a character, measured on 5.4 MB of TypeScript.
 *
 * Law: what is found does not depend on the order in which files were set and deleted.
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.
 */
export class CodeIndex {
  readonly #maxFileCharacters: number;
  readonly #maxCharacters: number;
  readonly #files = new Map<string, FileRecord>();
  /** The paths of each file name, and of each folder. */
  readonly #byName = new Map<string, Set<string>>();
  readonly #byFolder = new Map<string, Set<string>>();
  #layout = 0;
  #words = new WordTable();
  #characters = 0;
  /**
   * For each word its blocks, ascending, each with the number of its occurrences:
   * `block << 8 | count`.
   */
  #postings: (Uint32Array | undefined)[] = [];
  /** How much of each word's list is used. */
  #lengths = new Uint32Array(1 << 10);
  /** The number of blocks of present files in which each word occurs. */
  #frequencies = new Uint32Array(1 << 10);
  /** Whose each block is; `undefined` between two files, and where a file has gone. */
  #owners: (FileRecord | undefined)[] = [undefined];
  /** How many words stand in each block. */
  #blockWords = new Uint16Array(1 << 10);
  #blocks = 0;
  #blockWordSum = 0;
  #livingPostings = 0;
  #deadPostings = 0;
  /** The score of each block's window during a search; zeros between searches. */
  #scores = new Float32Array(0);

  constructor(options: CodeIndexOptions = {}) {
    this.#maxFileCharacters = options.maxFileCharacters ?? 400_000;
    this.#maxCharacters = options.maxCharacters ?? 100_000_000;
  }

  /** The words of all files. Numbers last until the next {@link set} or {@link delete}. */
  get words(): WordTable {
    return this.#words;
  }

  /** The paths of all files, in no particular order. */
  get paths(): Iterable<string> {
    return this.#files.keys();
  }

  /** How many files there are. */
  get size(): number {
    return this.#files.size;
  }

  /** How many UTF-16 units all texts have. */
  get characters(): number {
    return this.#characters;
  }

  /** Whether there is a file at `path`. */
  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** The text of a file, or `undefined` when there is none. */
  text(path: string): string | undefined {
    return this.#files.get(path)?.text;
  }

  /** A file, or `undefined` when there is none. */
  file(path: string): IndexedFile | undefined {
    return this.#files.get(path);
  }

  /**
   * A number that grows when a file comes or goes, and when a JSON file changes, such as
   * `package.json` or `tsconfig.json`: while it stays the same, an import leads to the same file.
   */
  get layout(): number {
    return this.#layout;
  }

  /** The paths of all files with this name, such as `package.json`, sorted. */
  pathsNamed(name: string): string[] {
    return Array.from(this.#byName.get(name) ?? []).sort(comparePaths);
  }

  /** The paths of all files that lie directly in `folder`, sorted; empty for an unknown folder. */
  pathsIn(folder: string): string[] {
    return Array.from(this.#byFolder.get(folder) ?? []).sort(comparePaths);
  }

  /** The folders that directly contain files, in no particular order. */
  get folders(): Iterable<string> {
    return this.#byFolder.keys();
  }

  /**
   * Adds a file, or replaces its text; `language` is an id in the registry. Returns `false` for a
   * file that holds secrets by its name, and for one that would exceed the limit of all texts: it
   * is not kept, and its old text is removed.
   */
  set(path: string, language: string, text: string): boolean {
    const known = this.#files.get(path);
    if (known?.text === text) return true;
    const layout = this.#layout + (known === undefined || path.endsWith(".json") ? 1 : 0);
    this.delete(path);
    if (trySecretPath(path) !== undefined) return false;
    if (this.#characters + text.length > this.#maxCharacters) return false;
    const lines = wordLines(text, this.#words, { kind: "identifiers", maxCharacters: this.#maxFileCharacters });
    const blockCount = Math.ceil(lines.count / blockLines);
    const record: FileRecord = { path, language, text, lines, firstBlock: 0, blockCount };
    this.#files.set(path, record);
    this.#characters += text.length;
    this.#layout = layout;
    getOrInsert(this.#byName, nameOf(path), () => new Set()).add(path);
    getOrInsert(this.#byFolder, folderOf(path), () => new Set()).add(path);
    this.#addBlocks(record);
    return true;
  }

  /** Removes a file; does nothing for an unknown one. */
  delete(path: string): void {
    const record = this.#files.get(path);
    if (record === undefined) return;
    this.#files.delete(path);
    this.#layout++;
    this.#characters -= record.text.length;
    removeFrom(this.#byName, nameOf(path), path);
    removeFrom(this.#byFolder, folderOf(path), path);
    for (let block = 0; block < record.blockCount; block++) {
      this.#owners[record.firstBlock + block] = undefined;
      this.#blockWordSum -= this.#blockWords[record.firstBlock + block]!;
      const distinct = this.#countBlock(record, block);
      for (const word of distinct) this.#frequencies[word]!--;
      this.#livingPostings -= distinct.length;
      this.#deadPostings += distinct.length;
    }
    this.#blocks -= record.blockCount;
    if (this.#deadPostings > this.#livingPostings && this.#deadPostings > 10_000) this.#sweep();
  }

  /**
   * The rarity of a word, by its number: BM25's inverse document frequency over blocks, 0 for a
   * word that no file has.
   *
   * Above 0 also for words of more than half of the blocks.
   */
  rarity(word: number): number {
    const frequency = this.#frequencies[word] ?? 0;
    return frequency === 0 ? 0 : Math.log(1 + (this.#blocks - frequency + 0.5) / (frequency + 0.5));
  }

  /**
   * The windows that match a query best, at most `limit`, the best first; two of them may overlap.
   * Windows without a word of the query are left out.
   *
   * `boost` multiplies the scores of a file; 0 leaves it out.
   */
  search(
    query: readonly QueryWord[],
    { limit, boost }: { readonly limit: number; readonly boost?: (file: IndexedFile) => number },
  ): FoundWindow[] {
    if (this.#blocks === 0 || limit <= 0) return [];
    if (this.#scores.length < this.#owners.length) this.#scores = new Float32Array(this.#blockWords.length);
    const scores = this.#scores;
    const blockWords = this.#blockWords;
    const meanWords = (2 * this.#blockWordSum) / this.#blocks;
    for (const { word, weight } of query) {
      const list = this.#postings[word];
      const rarity = this.rarity(word) * weight * (saturation + 1);
      if (list === undefined || rarity <= 0) continue;
      const length = this.#lengths[word]!;
      let lastBlock = -1;
      let lastCount = 0;
      for (let i = 0; i < length; i++) {
        const block = list[i]! >>> 8;
        const count = list[i]! & 255;
        // The window that begins one block before holds this block as its second half.
        const both = lastBlock === block - 1 ? count + lastCount : count;
        const words = blockWords[block - 1]! + blockWords[block]!;
        scores[block - 1]! +=
          (rarity * both) / (both + saturation * (1 - lengthShare + (lengthShare * words) / meanWords));
        // The window that begins here counts its first half alone, unless the next entry is its
        // second half.
        if (i + 1 >= length || list[i + 1]! >>> 8 !== block + 1) {
          const own = blockWords[block]! + (blockWords[block + 1] ?? 0);
          scores[block]! +=
            (rarity * count) / (count + saturation * (1 - lengthShare + (lengthShare * own) / meanWords));
        }
        lastBlock = block;
        lastCount = count;
      }
    }
    return this.#best(limit, boost);
  }

  /**
   * The words of some lines in the order of the text, as numbers of {@link words}. Where the file
   * does not have these lines, they are read from `text`, without words that no file has.
   */
  wordsOf({ path, lines: { start, end }, text }: Pick<Snippet, "path" | "lines" | "text">): Int32Array {
    const file = this.#files.get(path);
    if (file !== undefined && end <= file.lines.count && file.text.startsWith(text, file.lines.offsets[start])) {
      return file.lines.words.subarray(file.lines.starts[start], file.lines.starts[end]);
    }
    return wordLines(text, this.#words, { kind: "identifiers", knownOnly: true }).words;
  }

  /**
   * The score of words for a query, as {@link search} would compute it if they were a window; 0
   * where they have none of its words.
   */
  scoreOf(words: Int32Array, query: readonly QueryWord[]): number {
    const found = new Map<number, number>(query.map(({ word }) => [word, 0]));
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const count = found.get(word);
      if (count !== undefined) found.set(word, count + 1);
    }
    const length = this.#blocks === 0 ? 1 : words.length / ((2 * this.#blockWordSum) / this.#blocks);
    let score = 0;
    for (const { word, weight } of query) {
      const count = found.get(word)!;
      const rarity = this.rarity(word) * weight * (saturation + 1);
      score += (rarity * count) / (count + saturation * (1 - lengthShare + lengthShare * length));
    }
    return score;
  }

  #best(limit: number, boost: ((file: IndexedFile) => number) | undefined): FoundWindow[] {
    const scores = this.#scores;
    const best: { score: number; block: number; file: FileRecord }[] = [];
    let least = 0;
    let owner: FileRecord | undefined;
    let factor = 0;
    for (let block = 0; block < this.#owners.length; block++) {
      const raw = scores[block]!;
      if (raw === 0) continue;
      scores[block] = 0;
      const file = this.#owners[block];
      if (file === undefined) continue;
      if (file !== owner) {
        owner = file;
        factor = boost === undefined ? 1 : boost(file);
      }
      const score = raw * factor;
      if (score <= 0 || score < least) continue;
      best.push({ score, block, file });
      if (best.length < 4 * limit) continue;
      best.sort(byScore);
      best.length = limit;
      least = best.at(-1)!.score;
    }
    best.sort(byScore);
    return best.slice(0, limit).map(({ score, block, file }) => {
      const start = (block - file.firstBlock) * blockLines;
      return { file, score, lines: { start, end: Math.min(start + 2 * blockLines, file.lines.count) } };
    });
  }

  #addBlocks(record: FileRecord): void {
    record.firstBlock = this.#owners.length;
    const needed = record.firstBlock + record.blockCount + 1;
    if (needed > this.#blockWords.length) this.#blockWords = grow(this.#blockWords, Uint16Array, needed);
    const { starts } = record.lines;
    for (let block = 0; block < record.blockCount; block++) {
      const number = this.#owners.push(record) - 1;
      const from = starts[block * blockLines]!;
      const to = starts[Math.min((block + 1) * blockLines, record.lines.count)]!;
      this.#blockWords[number] = Math.min(to - from, 0xffff);
      this.#blockWordSum += this.#blockWords[number]!;
      const distinct = this.#countBlock(record, block);
      for (const word of distinct) {
        this.#frequencies[word]!++;
        this.#post(word, number * 256 + Math.min(counts[word]!, 255));
      }
      this.#livingPostings += distinct.length;
    }
    this.#owners.push(undefined);
    this.#blockWords[this.#owners.length - 1] = 0;
    this.#blocks += record.blockCount;
  }

  #post(word: number, entry: number): void {
    const length = this.#lengths[word]!;
    let list = this.#postings[word];
    if (list === undefined) this.#postings[word] = list = new Uint32Array(2);
    else if (length === list.length) {
      this.#postings[word] = list = grow(list, Uint32Array, length + 1 + (length >> 1));
    }
    list[length] = entry;
    this.#lengths[word] = length + 1;
  }

  /**
   * The distinct words of a file's block, with the number of occurrences of each in {@link counts};
   * good until the next call.
   */
  #countBlock({ lines }: FileRecord, block: number): readonly number[] {
    const size = this.#words.size;
    if (size > counts.length) counts = grow(counts, Uint16Array, size);
    if (size > this.#lengths.length) {
      this.#lengths = grow(this.#lengths, Uint32Array, size);
      this.#frequencies = grow(this.#frequencies, Uint32Array, size);
    }
    for (const word of distinctWords) counts[word] = 0;
    distinctWords.length = 0;
    const from = lines.starts[block * blockLines]!;
    const to = lines.starts[Math.min((block + 1) * blockLines, lines.count)]!;
    for (let i = from; i < to; i++) {
      const word = lines.words[i]!;
      if (counts[word] === 0) distinctWords.push(word);
      if (counts[word]! < 255) counts[word]!++;
    }
    return distinctWords;
  }

  /**
   * Builds everything again from the living files, so that nothing of the dead ones is left:
   * neither blocks nor words.
   */
  #sweep(): void {
    const before = this.#words;
    this.#words = new WordTable();
    const ids = new Int32Array(before.size).fill(-1);
    this.#postings = [];
    this.#lengths = new Uint32Array(1 << 10);
    this.#frequencies = new Uint32Array(1 << 10);
    this.#owners = [undefined];
    this.#blockWords = new Uint16Array(1 << 10);
    this.#scores = new Float32Array(0);
    this.#blocks = this.#blockWordSum = this.#livingPostings = this.#deadPostings = 0;
    for (const record of this.#files.values()) {
      const { words } = record.lines;
      for (let i = 0; i < words.length; i++) {
        const old = words[i]!;
        if (ids[old] === -1) ids[old] = this.#words.internFrom(before, old);
        words[i] = ids[old]!;
      }
      this.#addBlocks(record);
    }
  }
}

/** BM25's k1 and b, at their usual values. */
const saturation = 1.2;
const lengthShare = 0.75;

// Room that every call uses again.
let counts = new Uint16Array(1 << 10);
const distinctWords: number[] = [];

function byScore(one: { score: number; block: number; file: FileRecord }, other: typeof one): number {
  return (
    other.score - one.score ||
    comparePaths(one.file.path, other.file.path) ||
    one.block - one.file.firstBlock - (other.block - other.file.firstBlock)
  );
}

function removeFrom(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key)!;
  set.delete(value);
  if (set.size === 0) sets.delete(key);
}

/** A longer copy of a typed array, with zeros behind what was there. */
function grow<T extends { readonly length: number; set(values: ArrayLike<number>): void } & ArrayLike<number>>(
  from: T,
  Type: new (length: number) => T,
  atLeast: number,
): T {
  const to = new Type(Math.max(atLeast, from.length + (from.length >> 1)));
  to.set(from);
  return to;
}
