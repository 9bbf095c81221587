import { saysSomething } from "../says-something.ts";

/**
 * Looks whether the lines of a window that is written anew begin again from its first ones, as they come: a model that says them twice shows how they are before and
 * after, or has lost its way, and none of both is to stand below the other.
 */
export class SaysTwice {
  readonly #window: readonly string[];
  readonly #lines: string[] = [];

  constructor(window: readonly string[]) {
    this.#window = window.filter((line) => line.trim() !== "");
  }

  /** Takes the next line that is not blank; whether the first ones have come again with it. */
  push(line: string): boolean {
    this.#lines.push(line);
    const at = this.#lines.length - length;
    // Behind a few lines what looks like the first ones is one of them, or was put in between.
    if (at < Math.max(length, this.#window.length / 2) || !this.#beginsAt(this.#lines, at)) return false;
    return this.#beginsAt(this.#lines, 0) && !this.#window.some((_, i) => i > 0 && this.#beginsAt(this.#window, i));
  }

  /** Whether some lines are the window's first ones, of which one may be changed. */
  #beginsAt(lines: readonly string[], at: number): boolean {
    const first = this.#window.slice(0, length);
    if (lines[at] !== first[0]) return false;
    return new Set(first.filter((line, i) => lines[at + i] === line && saysSomething(line))).size >= enough;
  }
}

/** So many lines are compared, */
const length = 3;

/** and so many of them that say something must be the same. */
const enough = 2;
