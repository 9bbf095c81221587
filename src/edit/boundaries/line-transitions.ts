/**
 * Counts which lines follow which in a file, by their patterns: the last character of the one, the
 * first character of the next, and the change of indentation. Two lines that never meet in this way
 * elsewhere in the file seldom belong together.
 */
export class LineTransitions {
  readonly #pairs = new Map<string, number>();
  readonly #ends = new Map<string, number>();

  /** Counts the pairs of adjacent lines of a file, including its beginning and end. */
  constructor(lines: readonly string[]) {
    for (let index = 0; index <= lines.length; index++) {
      count(this.#pairs, pairOf(lines[index - 1], lines[index]));
      count(this.#ends, endOf(lines[index - 1]));
    }
  }

  /**
   * The natural logarithm of the probability that `next` follows `line`; `undefined` is the
   * beginning or the end of the file.
   */
  logProbability(line: string | undefined, next: string | undefined): number {
    const seen = this.#pairs.get(pairOf(line, next)) ?? 0;
    return Math.log((seen + 0.2) / ((this.#ends.get(endOf(line)) ?? 0) + 2));
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function pairOf(line: string | undefined, next: string | undefined): string {
  const begin = next === undefined ? "end" : look(next.trim().at(0));
  return `${endOf(line)} ${begin} ${step(line, next)}`;
}

function endOf(line: string | undefined): string {
  return line === undefined ? "start" : look(line.trim().at(-1));
}

/** The character itself, `word` for any letter, digit or underscore, `blank` for a blank line. */
function look(character: string | undefined): string {
  return character === undefined ? "blank" : /[\p{L}\p{N}_]/u.test(character) ? "word" : character;
}

function step(line: string | undefined, next: string | undefined): number {
  const isBlank = (text: string | undefined) => text === undefined || text.trim() === "";
  return isBlank(line) || isBlank(next) ? 2 : Math.sign(indentationOf(next!) - indentationOf(line!));
}

/**
 * The indentation of a line in columns, a tab counted as four: enough to compare lines of one file.
 */
export function indentationOf(line: string): number {
  let width = 0;
  for (const character of line) {
    if (character === "\t") width += 4;
    else if (character === " ") width += 1;
    else break;
  }
  return width;
}
