import type { ReadBeginning, Removal, StreamFilter } from "./stream-filter.ts";

/**
 * Cuts a stream of text behind a number of lines; the end of the last line is left out.
 *
 * Lines end with `\n`, `\r\n` or `\r`. A piece must not end between `\r` and `\n`.
 */
export class LineLimit implements StreamFilter {
  readonly removed = new Set<Removal>();
  readonly #readOpening: ReadBeginning;
  #left: number;
  #beginning: string | undefined = "";

  /**
   * Lets `maxLines` lines through, at least 1. The opening of an answer, of the length that
   * `readOpening` returns as for a `BeginningFilter`, is let through uncounted.
   */
  constructor(maxLines: number, readOpening: ReadBeginning = () => 0) {
    this.#left = maxLines;
    this.#readOpening = readOpening;
  }

  get isOver(): boolean {
    return this.#left <= 0;
  }

  push(text: string): string {
    return this.#beginning === undefined ? this.#count(text) : this.#begin(text, false);
  }

  end(): string {
    return this.#beginning === undefined ? "" : this.#begin("", true);
  }

  #begin(text: string, isWhole: boolean): string {
    const beginning = this.#beginning + text;
    const length = this.#readOpening(beginning, isWhole);
    this.#beginning = length === undefined ? beginning : undefined;
    return length === undefined ? "" : beginning.slice(0, length) + this.#count(beginning.slice(length));
  }

  #count(text: string): string {
    if (this.isOver) return "";
    for (const { index } of text.matchAll(/\r\n|\r|\n/g)) {
      this.#left -= 1;
      if (this.#left > 0) continue;
      this.removed.add("lines");
      return text.slice(0, index);
    }
    return text;
  }
}
