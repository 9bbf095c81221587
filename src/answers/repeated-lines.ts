import type { TextRange } from "../text/index.ts";

/**
 * Removes lines from the beginning of an answer that repeat the lines directly above its place.
 *
 * Lines are held back as long as they may be such a repetition. Blank lines and lone brackets
 * repeat by chance and count only together with others. Lines that the place began with before are
 * kept. Indentation is ignored.
 */
export class RepeatedLinesAbove {
  /** Whether lines were left out. */
  isCut = false;
  readonly #above: readonly string[];
  readonly #old: readonly string[];
  readonly #held: string[] = [];
  /** The possible start indexes in the lines above of what is held back. */
  #starts: readonly number[] | undefined;
  /** How many of the held lines are a complete repetition. */
  #repeated = 0;
  #isOver = false;

  /** `above` are the lines before the place, `old` the lines that it contains now. */
  constructor(above: readonly string[], old: readonly string[]) {
    this.#above = above.map((line) => line.trim());
    this.#old = old.map((line) => line.trim());
  }

  /** Adds a line and returns the lines that are released to the place. */
  push(line: string): readonly string[] {
    if (this.#isOver) return [line];
    const held = this.#held;
    const above = this.#above;
    held.push(line);
    const text = line.trim();
    const matching = (this.#starts ?? [...above.keys()]).filter((start) => above[start + held.length - 1] === text);
    if (matching.some((start) => start + held.length === above.length)) this.#repeated = held.length;
    this.#starts = matching.filter((start) => start + held.length < above.length);
    return this.#starts.length > 0 ? [] : this.end();
  }

  /** Returns the held-back lines that belong to the place, at the end of the answer. */
  end(): readonly string[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    const repetition = this.#held.slice(0, this.#repeated).map((line) => line.trim());
    const wasThere = repetition.every((line, index) => line === this.#old[index]);
    if (wasThere || !repetition.some(hasWords)) return this.#held;
    this.isCut = true;
    return this.#held.slice(this.#repeated);
  }
}

/**
 * The number of last lines of `written` that repeat the lines directly below the place; 0 if none,
 * or if the place ended with them before.
 */
export function countRepeatedBelow(
  written: readonly string[],
  below: readonly string[],
  old: readonly string[],
): number {
  const lines = written.map((line) => line.trimEnd());
  for (let count = Math.min(lines.length, below.length); count > 0; count--) {
    const mine = lines.slice(lines.length - count);
    if (!mine.every((line, index) => line === below[index]!.trimEnd())) continue;
    const wasThere =
      count <= old.length && mine.every((line, index) => line === old[old.length - count + index]!.trimEnd());
    return wasThere || !mine.some(hasWords) ? 0 : count;
  }
  return 0;
}

/** The lines at each edge of a block that are compared; as many are shown around it. */
const maxRepeated = 3;

/**
 * Returns other readings of the lines for a block: without lines at their edges that repeat the
 * lines above the block, below it, or both. Empty where nothing is repeated, or where the block
 * repeats them itself.
 *
 * `lines` are those of the whole text, `block` a range of them. Blank lines and lone brackets
 * repeat by chance, and count only together with others.
 */
export function withoutRepeatedContext(
  written: readonly string[],
  lines: readonly string[],
  block: TextRange,
): readonly (readonly string[])[] {
  const above = lines.slice(Math.max(0, block.start - maxRepeated), block.start);
  const below = lines.slice(block.end, block.end + maxRepeated);
  const original = lines.slice(block.start, block.end);
  const repeatedAbove = (of: readonly string[]) =>
    countRepeated(above.length, (count) => [of.slice(0, count), above.slice(above.length - count)]);
  const repeatedBelow = (of: readonly string[]) =>
    countRepeated(below.length, (count) => [of.slice(of.length - count), below.slice(0, count)]);
  const first = repeatedAbove(original) > 0 ? 0 : repeatedAbove(written);
  const last = repeatedBelow(original) > 0 ? 0 : repeatedBelow(written);
  const cuts = [
    ...(first > 0 && last > 0 ? [[first, last] as const] : []),
    ...(first > 0 ? [[first, 0] as const] : []),
    ...(last > 0 ? [[0, last] as const] : []),
  ];
  return cuts
    .filter(([front, back]) => front + back < written.length)
    .map(([front, back]) => written.slice(front, written.length - back));
}

function countRepeated(
  most: number,
  edges: (count: number) => readonly [readonly string[], readonly string[]],
): number {
  for (let count = most; count > 0; count--) {
    const [mine, theirs] = edges(count);
    if (mine.length !== count || !mine.some(hasWords)) continue;
    if (mine.every((line, i) => line === theirs[i])) return count;
  }
  return 0;
}

/**
 * Whether a text contains more than brackets, white space and punctuation, which agree by chance.
 */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Whether a line is not blank. */
export function isNonBlank(line: string): boolean {
  return line.trim() !== "";
}
