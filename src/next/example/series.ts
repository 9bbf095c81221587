/** How an edit stands in what was done over again. */
export interface Sequel {
  /** How soon it followed, the last time, on an edit that did what was done last: 1 for at once; 0 for not at all. */
  readonly gap: number;
  /** How many edits in front of that one and of the last did the same too, one by one. */
  readonly length: number;
}

/** The farthest that an edit follows on another, in edits, and the longest run that is told. */
const maxGap = 3;
const maxLength = 4;

const none: Sequel = { gap: 0, length: 0 };

/** What was done in which order: who does over again in one file what was done in another goes on as there. */
export class Series {
  readonly #keys: readonly ReadonlySet<string>[];

  /** `keys` are what each edit did, the newest edit first. */
  constructor(keys: readonly ReadonlySet<string>[]) {
    this.#keys = keys;
  }

  /** What edits of these ages are the sequel of: the nearest is told. */
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

  /** Whether edits of two ages did something that is the same. */
  #isSame(one: number, other: number): boolean {
    const [keys, others] = [this.#keys[one], this.#keys[other]];
    if (keys === undefined || others === undefined) return false;
    for (const key of keys) if (others.has(key)) return true;
    return false;
  }
}
