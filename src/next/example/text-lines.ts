import { Lines } from "../../text/index.ts";
import { lineWidthOf } from "../layout/code-style.ts";
import { type CodeToken, type CodeTokens, nestedTokens, plainTokens } from "./code-tokens.ts";

/** A text whose lines are split into tokens when they are asked for. */
export class TextLines {
  readonly text: string;
  readonly lines: Lines;
  readonly #linesSaying = new Map<string, readonly number[]>();
  readonly #windows = new Map<string, CodeTokens>();
  readonly #lineTokens = new Map<number, readonly CodeToken[]>();
  readonly #says = new Map<string, boolean>();
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

  /** Whether it says a stretch of letters anywhere. */
  says(said: string): boolean {
    const known = this.#says.get(said);
    if (known !== undefined) return known;
    const found = this.text.includes(said);
    this.#says.set(said, found);
    return found;
  }

  /** Whether one of its lines says a stretch of letters; no line says anything that is not there. */
  saysOnLine(line: number, said: string): boolean {
    if (line < 0 || line >= this.lines.count) return false;
    return this.text.slice(this.lines.start(line), this.lines.end(line)).includes(said);
  }

  /** The tokens of the lines `[from, to)`, as far as there are such lines. */
  tokens(from: number, to: number): CodeTokens {
    const first = Math.max(0, from);
    const last = Math.min(to, this.lines.count) - 1;
    const key = `${first} ${last}`;
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    // Windows overlap.
    const byLine: (readonly CodeToken[])[] = [];
    for (let line = first; line <= last; line++) byLine.push(this.#tokensOf(line));
    const list = ([] as CodeToken[]).concat(...byLine);
    const made = nestedTokens(this.text, this.lines.endWithBreak(last), list);
    if (this.#windows.size >= maxWindows) this.#windows.clear();
    this.#windows.set(key, made);
    return made;
  }

  /** Lets go of what can be made again. */
  forgetTokens(): void {
    this.#windows.clear();
    this.#lineTokens.clear();
    this.#linesSaying.clear();
    this.#says.clear();
  }

  /** The lines that say a word. At most `limit`; empty where there are more. */
  linesSaying(word: string, limit: number): readonly number[] {
    const key = `${limit} ${word}`;
    const known = this.#linesSaying.get(key);
    if (known !== undefined) return known;
    const found = this.#findLines(word, limit);
    this.#linesSaying.set(key, found);
    return found;
  }

  #tokensOf(line: number): readonly CodeToken[] {
    const known = this.#lineTokens.get(line);
    if (known !== undefined) return known;
    const made = plainTokens(this.text, this.lines.start(line), this.lines.endWithBreak(line));
    this.#lineTokens.set(line, made);
    return made;
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

const maxWindows = 2_000;
const wordSign = /[\p{L}\p{M}\p{N}_$]/u;
