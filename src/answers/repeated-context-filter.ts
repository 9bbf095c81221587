import { hasWords, isNonBlank } from "./repeated-lines.ts";

/** The lines of a window and around it. */
export interface WindowSurroundings {
  readonly above: readonly string[];
  readonly window: readonly string[];
  readonly below: readonly string[];
}

/**
 * Removes lines from outside a rewritten window that a model repeats: the last ones above the
 * window at its start, and the first ones below at its end. They would be duplicated.
 *
 * Blank lines are no evidence. One line with words is enough, unless the window itself may begin or
 * end with it.
 */
export class RepeatedContextFilter {
  readonly #above: readonly string[];
  readonly #below: readonly string[];
  readonly #window: readonly string[];
  readonly #blanksAbove: number;
  /** Lines that may be repeated context, in order. */
  #held: string[] = [];
  /** Whether the held lines are before all others. */
  #isAhead: boolean;

  constructor({ above, window, below }: WindowSurroundings) {
    this.#above = above.filter(isNonBlank);
    this.#window = window.filter(isNonBlank);
    this.#below = below.filter(isNonBlank);
    this.#blanksAbove = above.length - 1 - above.findLastIndex(isNonBlank);
    this.#isAhead = this.#above.length > 0;
  }

  /** Takes the next line of the answer; returns the lines that are no repeated context. */
  push(line: string): readonly string[] {
    if (!this.#isAhead) return this.#pushBehind(line);
    const nonBlank = [...this.#held, line].filter(isNonBlank);
    if (this.#above.some((_, i) => nonBlank.every((one, k) => one === this.#above[i + k]))) {
      this.#held.push(line);
      return [];
    }
    this.#isAhead = false;
    const ahead = [...this.#withoutAbove(this.#held.splice(0)), line];
    return ahead.flatMap((one) => this.#pushBehind(one));
  }

  /** Ends the answer; returns the held lines that are no repeated context. */
  end(): readonly string[] {
    const held = this.#held.splice(0);
    const nonBlank = held.filter(isNonBlank);
    const isRepeated = !this.#isAhead && nonBlank.some(hasWords) && !overlap(this.#window, nonBlank);
    return isRepeated ? [] : held;
  }

  #pushBehind(line: string): readonly string[] {
    const nonBlank = this.#held.filter(isNonBlank).length;
    if (!isNonBlank(line) || line === this.#below[nonBlank]) {
      this.#held.push(line);
      return [];
    }
    // The held lines are no repeated context; this line may begin some.
    const passed = this.#held.splice(0);
    if (line === this.#below[0]) this.#held.push(line);
    else passed.push(line);
    return passed;
  }

  /** Lines without the last ones above that they begin with. */
  #withoutAbove(lines: readonly string[]): readonly string[] {
    const nonBlank = lines.filter(isNonBlank);
    for (let count = nonBlank.length; count > 0; count--) {
      const repeated = nonBlank.slice(0, count);
      if (!isAtEnd(repeated, this.#above) || !repeated.some(hasWords)) continue;
      if (overlap(repeated, this.#window)) continue;
      const rest = lines.slice(indexBehind(lines, count));
      const blanks = rest.findIndex(isNonBlank) < 0 ? rest.length : rest.findIndex(isNonBlank);
      return rest.slice(Math.min(blanks, this.#blanksAbove));
    }
    return lines;
  }
}

/** The index after `count` lines that are not blank. */
function indexBehind(lines: readonly string[], count: number): number {
  let nonBlank = 0;
  return lines.findIndex((line) => isNonBlank(line) && ++nonBlank === count) + 1;
}

/**
 * Whether the last lines of one list are the first of the other, so that their origin is ambiguous.
 */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return other.some((_, i) => isAtEnd(other.slice(0, i + 1), one));
}

function isAtEnd(end: readonly string[], lines: readonly string[]): boolean {
  const start = lines.length - end.length;
  return start >= 0 && end.every((line, i) => line === lines[start + i]);
}

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
