import { Lines } from "../../text/index.ts";
import { type CodeTokens, codeTokens } from "./code-tokens.ts";

/** A text whose lines are split into tokens when they are asked for. */
export class TextLines {
  readonly text: string;
  readonly lines: Lines;
  readonly #linesSaying = new Map<string, readonly number[]>();
  readonly #windows = new Map<string, CodeTokens>();

  constructor(text: string) {
    this.text = text;
    this.lines = Lines.of(text);
  }

  /** The tokens of the lines `[from, to)`, as far as there are such lines. */
  tokens(from: number, to: number): CodeTokens {
    const first = Math.max(0, from);
    const last = Math.min(to, this.lines.count) - 1;
    const key = `${first} ${last}`;
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    const made = codeTokens(this.text, this.lines.start(first), this.lines.endWithBreak(last));
    if (this.#windows.size >= maxWindows) this.#windows.clear();
    this.#windows.set(key, made);
    return made;
  }

  /** Lets go of what can be made again. */
  forgetTokens(): void {
    this.#windows.clear();
    this.#linesSaying.clear();
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
