/** The result of {@link PairMap.get} for a pair without a value. */
export const absent = -1;

/** The initial number of slots: many maps hold few pairs. */
const firstCapacity = 4;

/** Up to this size a map grows fourfold when half full, beyond it twofold. */
const smallCapacity = 4096;

/** The numbers in a slot: the two keys and the value. */
const slotLength = 3;

/**
 * A map from pairs of whole numbers to a whole number, all from 0 to 2^31 - 2, in one typed array:
 * neither reads nor writes allocate objects, also with millions of pairs.
 *
 * Source: Knuth, "The Art of Computer Programming" 3, section 6.4: open addressing with linear
 * probing.
 */
export class PairMap {
  /** Values are stored incremented by 1, so that 0 marks an empty slot. */
  #slots = new Int32Array(firstCapacity * slotLength);
  #mask = firstCapacity - 1;
  #size = 0;

  /** The number of pairs with a value. */
  get size(): number {
    return this.#size;
  }

  /** The value of a pair; `absent` where it has none. */
  get(first: number, second: number): number {
    return this.#slots[this.#find(first, second) + 2]! - 1;
  }

  /** Sets the value of a pair, in place of an earlier one. */
  set(first: number, second: number, value: number): void {
    const slot = this.#find(first, second);
    const slots = this.#slots;
    const isFresh = slots[slot + 2] === 0;
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = value + 1;
    if (isFresh && ++this.#size * 2 > this.#mask) this.#grow();
  }

  /** Adds a pair with the value 0 unless it has one; returns whether it was added. */
  add(first: number, second: number): boolean {
    if (this.get(first, second) !== absent) return false;
    this.set(first, second, 0);
    return true;
  }

  /** The slot of a pair, or the free slot for it. */
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
