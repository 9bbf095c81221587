import type { LineKey } from "./line-keys.ts";
import type { LineTable } from "./line-table.ts";

/** The part of `WorkingText` that {@link KeyedLines} uses. */
export interface ChangingLines {
  readonly snapshot: LineTable;
  readonly count: number;
  readonly textsPutIn: readonly string[];
  linesPutIn(holds: (text: string) => boolean): number[];
  textAt(now: number): string;
  shownAt(now: number): number | undefined;
  keptAs(shown: number): number | undefined;
}

/**
 * An index of the lines of a working text by key, for searches in which lines with equal keys count
 * as equal.
 *
 * Stores the positions of each key in the snapshot, so that a search visits few lines. Later edits
 * are taken into account: line numbers are current.
 */
export class KeyedLines {
  readonly #text: ChangingLines;
  readonly #key: LineKey;
  /** The keys of the snapshot's lines. */
  readonly #keys: readonly string[];
  /** The keys that inserted lines have or had, and the number of such lines processed. */
  readonly #freshKeys = new Set<string>();
  #seen = 0;
  /** Built at the second search, because building it costs as much as several linear searches. */
  #places: KeyPlaces | undefined;
  #isSearched = false;

  constructor(text: ChangingLines, key: LineKey) {
    const { snapshot } = text;
    this.#text = text;
    this.#key = key;
    this.#keys = Array.from({ length: snapshot.count }, (_, line) => key(snapshot.text(line)));
  }

  /** The key of a current line. */
  at(line: number): string {
    const shown = this.#text.shownAt(line);
    return shown === undefined ? this.#key(this.#text.textAt(line)) : this.#keys[shown]!;
  }

  /**
   * Finds all places where the keys of `run` are consecutive; returns the first line of each,
   * ascending, as {@link findRun} does.
   */
  find(run: readonly string[]): number[] {
    const { count } = this.#text;
    if (run.length === 0 || run.length > count) return [];
    if (this.#isSearched) this.#places ??= new KeyPlaces(this.#keys);
    this.#isSearched = true;
    const places = this.#places;
    if (places === undefined) return findRun(run, this.#all());
    let rarest = 0;
    for (const [i, key] of run.entries()) if (places.count(key) < places.count(run[rarest]!)) rarest = i;
    // Where even the rarest line is frequent, comparing all its places may take longer than a
    // linear search.
    if (places.count(run[rarest]!) * run.length > count) return findRun(run, this.#all());
    const starts = this.#linesWith(run[rarest]!, places).map((line) => line - rarest);
    return starts.filter(
      (start) => start >= 0 && run.every((key, i) => start + i < count && this.at(start + i) === key),
    );
  }

  /**
   * Like {@link find}, with any number of blank lines in between: returns the lines of each place.
   */
  findApart(run: readonly string[]): readonly (readonly number[])[] {
    if (run.some((key) => this.#places?.count(key) === 0 && !this.#mayBeFresh(key))) return [];
    const keys = this.#all();
    const lines = keys.flatMap((key, line) => (key === "" ? [] : [line]));
    const starts = findRun(
      run,
      lines.map((line) => keys[line]!),
    );
    return starts.map((start) => lines.slice(start, start + run.length));
  }

  /** The lines with a key, ascending. */
  #linesWith(key: string, places: KeyPlaces): number[] {
    const kept = places.of(key).map((shown) => this.#text.keptAs(shown));
    const lines = kept.filter((line) => line !== undefined);
    if (!this.#mayBeFresh(key)) return lines;
    return [...lines, ...this.#text.linesPutIn((text) => this.#key(text) === key)].sort((a, b) => a - b);
  }

  #all(): readonly string[] {
    return Array.from({ length: this.#text.count }, (_, line) => this.at(line));
  }

  /** Whether an inserted line has or had the key. */
  #mayBeFresh(key: string): boolean {
    const { textsPutIn } = this.#text;
    while (this.#seen < textsPutIn.length) this.#freshKeys.add(this.#key(textsPutIn[this.#seen++]!));
    return this.#freshKeys.has(key);
  }
}

/** The positions of keys in a list. */
class KeyPlaces {
  /**
   * The first index of each key; for each index the next one with its key, and the number of later
   * ones.
   */
  readonly #first = new Map<string, number>();
  readonly #next: Int32Array;
  readonly #following: Int32Array;

  constructor(keys: readonly string[]) {
    this.#next = new Int32Array(keys.length);
    this.#following = new Int32Array(keys.length);
    for (let i = keys.length - 1; i >= 0; i--) {
      const next = this.#first.get(keys[i]!) ?? -1;
      this.#next[i] = next;
      this.#following[i] = next < 0 ? 0 : this.#following[next]! + 1;
      this.#first.set(keys[i]!, i);
    }
  }

  /** The number of occurrences of a key. */
  count(key: string): number {
    const first = this.#first.get(key);
    return first === undefined ? 0 : this.#following[first]! + 1;
  }

  /** The indexes of a key, ascending. */
  of(key: string): number[] {
    const found: number[] = [];
    for (let i = this.#first.get(key) ?? -1; i >= 0; i = this.#next[i]!) found.push(i);
    return found;
  }
}

/**
 * Finds all places where the items of `run` are consecutive in `items`; returns the index of the
 * first item of each, ascending. Places may overlap. Linear time. An empty run has no places.
 *
 * Source: Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977.
 */
export function findRun(run: readonly string[], items: readonly string[]): number[] {
  const found: number[] = [];
  if (run.length === 0 || run.length > items.length) return found;
  // For each item of the run, the length of the longest prefix that also ends there.
  const borders = new Int32Array(run.length);
  for (let i = 1, border = 0; i < run.length; i++) {
    while (border > 0 && run[i] !== run[border]) border = borders[border - 1]!;
    if (run[i] === run[border]) border++;
    borders[i] = border;
  }
  for (let i = 0, matched = 0; i < items.length; i++) {
    while (matched > 0 && items[i] !== run[matched]) matched = borders[matched - 1]!;
    if (items[i] === run[matched]) matched++;
    if (matched === run.length) {
      found.push(i + 1 - matched);
      matched = borders[matched - 1]!;
    }
  }
  return found;
}
