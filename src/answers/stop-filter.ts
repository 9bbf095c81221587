import type { ReadBeginning, Removal, StreamFilter } from "./stream-filter.ts";

/**
 * Cuts a stream of text at the first stop text, and never lets a part of one through while it may
 * still become whole.
 *
 * The first stop is the one whose end comes first. Law: what comes out does not depend on how the
 * text was cut into pieces.
 */
export class StopFilter implements StreamFilter {
  readonly removed = new Set<Removal>();
  readonly #stops: readonly string[];
  readonly #longest: number;
  #held = "";

  constructor(stops: readonly string[]) {
    this.#stops = stops.filter((stop) => stop !== "");
    this.#longest = Math.max(0, ...this.#stops.map(({ length }) => length));
  }

  /** Whether a stop text has come. */
  get isOver(): boolean {
    return this.removed.has("stop");
  }

  push(text: string): string {
    if (this.isOver) return "";
    const whole = this.#held + text;
    this.#held = "";
    const cut = this.#firstStop(whole);
    if (cut !== undefined) {
      this.removed.add("stop");
      return whole.slice(0, cut);
    }
    const hold = this.#firstPart(whole);
    this.#held = whole.slice(hold);
    return whole.slice(0, hold);
  }

  /**
   * The text held back, at the end of the answer.
   *
   * A short beginning of a stop text may be code (`<` begins most of them); four characters of one,
   * or more, are taken for a stop text that was cut off, and dropped.
   */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held.length < 4 ? held : "";
  }

  #firstStop(text: string): number | undefined {
    let start: number | undefined;
    let end = Number.POSITIVE_INFINITY;
    for (const stop of this.#stops) {
      const found = text.indexOf(stop);
      if (found < 0) continue;
      const foundEnd = found + stop.length;
      if (foundEnd < end || (foundEnd === end && found < start!)) {
        start = found;
        end = foundEnd;
      }
    }
    return start;
  }

  /** Where the longest end of `text` begins which is the beginning of a stop text. */
  #firstPart(text: string): number {
    for (let i = Math.max(0, text.length - this.#longest + 1); i < text.length; i++) {
      const length = text.length - i;
      if (this.#stops.some((stop) => stop.length > length && text.startsWith(stop.slice(0, length), i))) return i;
    }
    return text.length;
  }
}

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
