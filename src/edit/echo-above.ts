/**
 * Takes off the beginning of an answer what repeats the lines right above the place it is for.
 *
 * Lines are held back as long as they may be such a repetition. Blank lines and lone brackets repeat by chance and count only
 * beside others, and what the place began with before counts as its own. Indentation is not compared.
 */
export class EchoAbove {
  /** Whether lines were left out. */
  isCut = false;
  readonly #above: readonly string[];
  readonly #old: readonly string[];
  readonly #held: string[] = [];
  /** Where in the lines above what is held may stand. */
  #starts: readonly number[] | undefined;
  /** How many of the held lines are a whole repetition. */
  #repeated = 0;
  #isOver = false;

  /** `above` are the lines up to the place, `old` those that it begins with now. */
  constructor(above: readonly string[], old: readonly string[]) {
    this.#above = above.map((line) => line.trim());
    this.#old = old.map((line) => line.trim());
  }

  /** Takes a line. Gives those that belong to the place. */
  push(line: string): readonly string[] {
    if (this.#isOver) return [line];
    const held = this.#held;
    const above = this.#above;
    held.push(line);
    const said = line.trim();
    const standing = (this.#starts ?? [...above.keys()]).filter((start) => above[start + held.length - 1] === said);
    if (standing.some((start) => start + held.length === above.length)) this.#repeated = held.length;
    this.#starts = standing.filter((start) => start + held.length < above.length);
    return this.#starts.length > 0 ? [] : this.end();
  }

  /** Gives the lines that were held back and belong to the place. */
  end(): readonly string[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const echo = this.#held.slice(0, this.#repeated).map((line) => line.trim());
    const isOwn = echo.every((line, index) => line === this.#old[index]);
    if (isOwn || !echo.some((line) => /\w/.test(line))) return this.#held;
    this.isCut = true;
    return this.#held.slice(this.#repeated);
  }
}

/**
 * How many of the last lines of a text repeat those right below its place; 0 where none do, or where the place ended with
 * them before.
 */
export function countEchoBelow(written: readonly string[], below: readonly string[], old: readonly string[]): number {
  const lines = written.map((line) => line.trimEnd());
  for (let count = Math.min(lines.length, below.length); count > 0; count--) {
    const mine = lines.slice(lines.length - count);
    if (!mine.every((line, index) => line === below[index]!.trimEnd())) continue;
    const isOwn =
      count <= old.length && mine.every((line, index) => line === old[old.length - count + index]!.trimEnd());
    return isOwn || !mine.some((line) => /\w/.test(line)) ? 0 : count;
  }
  return 0;
}
