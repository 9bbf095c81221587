import { isSaid, saysSomething } from "../says-something.ts";

/** The lines around a window, and its own. */
export interface WindowSurroundings {
  readonly above: readonly string[];
  readonly window: readonly string[];
  readonly below: readonly string[];
}

/**
 * Takes out of the lines of a rewritten window those from outside of it that a model repeats: the last ones above the
 * window in front of it, and the first ones below at the end. They would stand there twice.
 *
 * Blank lines do not tell anything. One line that says something is enough, unless the window may begin or end with it itself.
 */
export class OutsideEcho {
  readonly #above: readonly string[];
  readonly #below: readonly string[];
  readonly #window: readonly string[];
  readonly #blanksAbove: number;
  /** Lines that may be an echo, in their order. */
  #held: string[] = [];
  /** Whether those held stand in front of all others. */
  #isAhead: boolean;

  constructor({ above, window, below }: WindowSurroundings) {
    this.#above = above.filter(isSaid);
    this.#window = window.filter(isSaid);
    this.#below = below.filter(isSaid);
    this.#blanksAbove = above.length - 1 - above.findLastIndex(isSaid);
    this.#isAhead = this.#above.length > 0;
  }

  /** The next line of the answer; gives the lines that are none of those outside. */
  push(line: string): readonly string[] {
    if (!this.#isAhead) return this.#pushBehind(line);
    const said = [...this.#held, line].filter(isSaid);
    if (this.#above.some((_, i) => said.every((one, k) => one === this.#above[i + k]))) {
      this.#held.push(line);
      return [];
    }
    this.#isAhead = false;
    const ahead = [...this.#withoutAbove(this.#held.splice(0)), line];
    return ahead.flatMap((one) => this.#pushBehind(one));
  }

  /** The answer has ended; gives the lines that were held back and are none of those below. */
  end(): readonly string[] {
    const held = this.#held.splice(0);
    const said = held.filter(isSaid);
    const isEcho = !this.#isAhead && said.some(saysSomething) && !overlap(this.#window, said);
    return isEcho ? [] : held;
  }

  #pushBehind(line: string): readonly string[] {
    const said = this.#held.filter(isSaid).length;
    if (!isSaid(line) || line === this.#below[said]) {
      this.#held.push(line);
      return [];
    }
    // What was held is no echo; this line may begin one.
    const passed = this.#held.splice(0);
    if (line === this.#below[0]) this.#held.push(line);
    else passed.push(line);
    return passed;
  }

  /** Lines from the front without the last ones above that they begin with. */
  #withoutAbove(lines: readonly string[]): readonly string[] {
    const said = lines.filter(isSaid);
    for (let count = said.length; count > 0; count--) {
      const echo = said.slice(0, count);
      if (!isAtEnd(echo, this.#above) || !echo.some(saysSomething)) continue;
      if (overlap(echo, this.#window)) continue;
      const rest = lines.slice(indexBehind(lines, count));
      const blanks = rest.findIndex(isSaid) < 0 ? rest.length : rest.findIndex(isSaid);
      return rest.slice(Math.min(blanks, this.#blanksAbove));
    }
    return lines;
  }
}

/** The index behind so many lines that are not blank. */
function indexBehind(lines: readonly string[], count: number): number {
  let said = 0;
  return lines.findIndex((line) => isSaid(line) && ++said === count) + 1;
}

/** Whether some of the last lines of the one are the first of the other, so that it cannot be told whose they are. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  return other.some((_, i) => isAtEnd(other.slice(0, i + 1), one));
}

function isAtEnd(end: readonly string[], lines: readonly string[]): boolean {
  const start = lines.length - end.length;
  return start >= 0 && end.every((line, i) => line === lines[start + i]);
}
