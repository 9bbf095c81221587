/** What {@link PairMap.get} gives where nothing is kept. */
export const absent = -1;

/** How many slots a map has at first: so few lie among other objects, and cost next to nothing. */
const firstCapacity = 4;

/**
 * Up to so many slots, a map becomes four times as large when half of them are taken; later twice.
 */
const smallCapacity = 4096;

/** A number of the first key, one of the second, and the value. */
const slotLength = 3;

/**
 * A map from pairs of whole numbers to a whole number, all of 31 bits and not negative, in one
 * piece of memory: where millions of small facts are kept, neither asking nor keeping leaves
 * anything for the garbage collector.
 *
 * Source: Knuth, "The Art of Computer Programming" 3, section 6.4: open addressing with linear
 * probing.
 */
export class PairMap {
  /** Values are kept one higher, so that a fresh slot is empty. */
  #slots = new Int32Array(firstCapacity * slotLength);
  #mask = firstCapacity - 1;
  #size = 0;

  /** How many pairs have a value. */
  get size(): number {
    return this.#size;
  }

  /** The value of a pair; `absent` where it has none. */
  get(first: number, second: number): number {
    return this.#slots[this.#find(first, second) + 2]! - 1;
  }

  /** Gives a pair a value. */
  set(first: number, second: number, value: number): void {
    const slot = this.#find(first, second);
    const slots = this.#slots;
    const isFresh = slots[slot + 2] === 0;
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = value + 1;
    if (isFresh && ++this.#size * 2 > this.#mask) this.#grow();
  }

  /** Keeps a pair, with the value 0, unless it has one; whether it had none. */
  add(first: number, second: number): boolean {
    if (this.get(first, second) !== absent) return false;
    this.set(first, second, 0);
    return true;
  }

  /** The slot of a pair, or the one that it belongs in. */
  #find(first: number, second: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let hash = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
    hash ^= hash >>> 15;
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const slot = at * slotLength;
      if (slots[slot + 2] === 0 || (slots[slot] === first && slots[slot + 1] === second)) return slot;
    }
  }

  #grow(): void {
    const old = this.#slots;
    const capacity = this.#mask + 1;
    const larger = capacity * (capacity < smallCapacity ? 4 : 2);
    this.#mask = larger - 1;
    this.#slots = new Int32Array(larger * slotLength);
    for (let slot = 0; slot < old.length; slot += slotLength) {
      if (old[slot + 2] === 0) continue;
      const to = this.#find(old[slot]!, old[slot + 1]!);
      for (let i = 0; i < slotLength; i++) this.#slots[to + i] = old[slot + i]!;
    }
  }
}
