import { getOrInsert, Lines } from "../../../text/index.ts";
import { lineWidthOf } from "../../layout/code-style.ts";
import { type CodeToken, type CodeTokens, nestedTokens, plainTokens } from "./example-tokens.ts";

/** A text whose lines are split into tokens on request, with caches for searching it. */
export class TextLines {
  readonly text: string;
  readonly lines: Lines;
  readonly #linesContaining = new Map<string, readonly number[]>();
  readonly #windows = new Map<string, CodeTokens>();
  readonly #lineTokens = new Map<number, readonly CodeToken[]>();
  readonly #contained = new Map<string, boolean>();
  #width: number | undefined;

  constructor(text: string) {
    this.text = text;
    this.lines = Lines.of(text);
  }

  /** The width that its lines keep to, in columns; infinite where they keep to none. */
  get width(): number {
    this.#width ??= lineWidthOf(this.text);
    return this.#width;
  }

  /** Whether the text contains a string anywhere. */
  contains(part: string): boolean {
    return getOrInsert(this.#contained, part, () => this.text.includes(part));
  }

  /** Whether a line, counted from 0, contains a string; `false` for lines that do not exist. */
  lineContains(line: number, part: string): boolean {
    if (line < 0 || line >= this.lines.count) return false;
    return this.text.slice(this.lines.start(line), this.lines.end(line)).includes(part);
  }

  /**
   * Returns the tokens of the lines `[from, to)`, counted from 0, as far as they exist. A line of
   * more than 10,000 UTF-16 units has none.
   */
  tokens(from: number, to: number): CodeTokens {
    const first = Math.max(0, from);
    const last = Math.min(to, this.lines.count) - 1;
    const key = `${first} ${last}`;
    return getOrInsert(this.#windows, key, () => {
      // Requested ranges overlap, so tokens are cached by line.
      const byLine: (readonly CodeToken[])[] = [];
      for (let line = first; line <= last; line++) byLine.push(this.#tokensOf(line));
      const list = ([] as CodeToken[]).concat(...byLine);
      const made = nestedTokens(this.text, this.lines.endWithBreak(last), list);
      if (this.#windows.size >= maxWindows) this.#windows.clear();
      return made;
    });
  }

  /** Clears the caches, which can be computed again. */
  forgetTokens(): void {
    this.#windows.clear();
    this.#lineTokens.clear();
    this.#linesContaining.clear();
    this.#contained.clear();
  }

  /**
   * Returns the indexes, from 0 and ascending, of the lines that contain a whole word, at most
   * `limit`; an empty list where there are more.
   */
  linesContaining(word: string, limit: number): readonly number[] {
    const key = `${limit} ${word}`;
    return getOrInsert(this.#linesContaining, key, () => this.#findLines(word, limit));
  }

  #tokensOf(line: number): readonly CodeToken[] {
    return getOrInsert(this.#lineTokens, line, () => {
      const [start, end] = [this.lines.start(line), this.lines.endWithBreak(line)];
      return end - start > maxLineCharacters ? [] : plainTokens(this.text, start, end);
    });
  }

  #findLines(word: string, limit: number): readonly number[] {
    const found: number[] = [];
    for (let at = this.text.indexOf(word); at >= 0; at = this.text.indexOf(word, at + word.length)) {
      const isWhole = !wordSign.test(this.text[at - 1] ?? "") && !wordSign.test(this.text[at + word.length] ?? "");
      if (!isWhole) continue;
      const line = this.lines.lineAt(at);
      if (found.at(-1) !== line) found.push(line);
      if (found.length > limit) return [];
    }
    return found;
  }
}

/**
 * The most cached ranges; a map, because `lru-cache` reserves memory for all of them in each text.
 */
const maxWindows = 2_000;
/** Longer lines, in UTF-16 units, are generated and are not searched. */
const maxLineCharacters = 10_000;
const wordSign = /[\p{L}\p{M}\p{N}_$]/u;
