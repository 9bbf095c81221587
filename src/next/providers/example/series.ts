/** How an edit continues a repeated series of edits. */
export interface Sequel {
  /**
   * How many edits after a repetition of the last edit it followed the last time: 1 for directly; 0
   * for not at all.
   */
  readonly gap: number;
  /** How many edits before that one and before the last edit also agree, one by one. */
  readonly length: number;
}

/** The greatest gap between two edits, and the longest run that is counted. */
const maxGap = 3;
const maxLength = 4;

const none: Sequel = { gap: 0, length: 0 };

/**
 * The order of the recent edits: a person who repeats in one file what was done in another
 * continues in the same order.
 */
export class Series {
  readonly #keys: readonly ReadonlySet<string>[];

  /** `keys` are the rewrites of each edit, the newest edit first. */
  constructor(keys: readonly ReadonlySet<string>[]) {
    this.#keys = keys;
  }

  /** Returns how edits of these ages continue the last edit; the smallest gap counts. */
  sequelOf(ages: Iterable<number>): Sequel {
    let best = none;
    for (const age of ages) {
      for (let gap = 1; gap <= maxGap; gap++) {
        if (age < gap || !this.#isSame(0, age + gap)) continue;
        let length = 0;
        while (length < maxLength && age > length + 1 && this.#isSame(length + 1, age + gap + length + 1)) length++;
        if (best.gap === 0 || gap < best.gap || (gap === best.gap && length > best.length)) best = { gap, length };
        break;
      }
    }
    return best;
  }

  /** Whether edits of two ages have a rewrite in common. */
  #isSame(one: number, other: number): boolean {
    const [keys, others] = [this.#keys[one], this.#keys[other]];
    if (keys === undefined || others === undefined) return false;
    for (const key of keys) if (others.has(key)) return true;
    return false;
  }
}
