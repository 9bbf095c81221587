import { hasWords } from "./has-words.ts";

/**
 * Detects that the lines of a rewritten window begin again from the first ones: a model that writes
 * them twice shows them before and after, or is looping, and neither text should be inserted.
 */
export class RepeatedWindowDetector {
  readonly #window: readonly string[];
  readonly #lines: string[] = [];

  constructor(window: readonly string[]) {
    this.#window = window.filter((line) => line.trim() !== "");
  }

  /**
   * Takes the next line that is not blank; returns whether the first lines have been repeated with
   * it.
   */
  push(line: string): boolean {
    this.#lines.push(line);
    const at = this.#lines.length - length;
    // After a few lines only, lines like the first ones may be those themselves, or inserted ones.
    if (at < Math.max(length, this.#window.length / 2) || !this.#beginsAt(this.#lines, at)) return false;
    return this.#beginsAt(this.#lines, 0) && !this.#window.some((_, i) => i > 0 && this.#beginsAt(this.#window, i));
  }

  /** Whether the lines at an index are the window's first ones, of which one may be changed. */
  #beginsAt(lines: readonly string[], at: number): boolean {
    const first = this.#window.slice(0, length);
    if (lines[at] !== first[0]) return false;
    return new Set(first.filter((line, i) => lines[at + i] === line && hasWords(line))).size >= enough;
  }
}

/** The number of compared lines. */
const length = 3;

/** How many of them must be equal and contain words. */
const enough = 2;
