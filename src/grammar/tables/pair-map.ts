/** The result of {@link PairMap.get} for a pair without a value. */
export const absent = -1;

/** The initial number of slots: many maps hold few pairs. */
const firstCapacity = 4;

/** Up to this size a table grows fourfold, beyond it twofold. */
const smallCapacity = 4096;

/** The number of slots at which a table is split rather than enlarged. */
const splitCapacity = 0x8000;

/** The numbers in a slot: the two keys and the value. */
const slotLength = 3;

/** The position of the bits of a hash that choose a table; those below choose a slot. */
const tableShift = 16;

/** A table of slots. */
interface Table {
  /** The keys and value of each slot. Values are stored incremented by 1; 0 marks an empty slot. */
  slots: Int32Array;
  /** The number of slots, a power of two, less 1. */
  mask: number;
  /** The number of pairs in it. */
  size: number;
  /** How many bits of the hash all of its pairs have in common. */
  readonly depth: number;
}

/**
 * A map from pairs of whole numbers to a whole number, all from 0 to 2^31 - 2, in typed arrays:
 * neither reads nor writes allocate objects, also with millions of pairs.
 *
 * A large map consists of tables that are split in two one by one, so that no addition takes long
 * and no large array is copied. Sources: Knuth, "The Art of Computer Programming" 3, section 6.4
 * (open addressing with linear probing); Fagin et al. 1979, "Extendible Hashing".
 */
export class PairMap {
  /** The table for each value of the bits of the hash; a table with few bits occurs repeatedly. */
  #tables: Table[] = [emptyTable(firstCapacity, 0)];
  #size = 0;

  /** The number of pairs with a value. */
  get size(): number {
    return this.#size;
  }

  /** The value of a pair; `absent` where it has none. */
  get(first: number, second: number): number {
    const hash = hashOf(first, second);
    const table = this.#tableOf(hash);
    return table.slots[slotOf(table, hash, first, second) + 2]! - 1;
  }

  /** Sets the value of a pair, in place of an earlier one. */
  set(first: number, second: number, value: number): void {
    const hash = hashOf(first, second);
    const table = this.#tableOf(hash);
    const { slots } = table;
    const slot = slotOf(table, hash, first, second);
    const isFresh = slots[slot + 2] === 0;
    slots[slot] = first;
    slots[slot + 1] = second;
    slots[slot + 2] = value + 1;
    if (!isFresh) return;
    this.#size += 1;
    table.size += 1;
    // Two of three slots are used at most.
    if (table.size * 3 > table.mask * 2) this.#grow(table, hash);
  }

  /** Adds a pair with the value 0 unless it has one; returns whether it was added. */
  add(first: number, second: number): boolean {
    if (this.get(first, second) !== absent) return false;
    this.set(first, second, 0);
    return true;
  }

  #tableOf(hash: number): Table {
    return this.#tables[(hash >>> tableShift) & (this.#tables.length - 1)]!;
  }

  #grow(table: Table, hash: number): void {
    const { slots, depth } = table;
    const capacity = table.mask + 1;
    if (capacity >= splitCapacity && depth < 32 - tableShift) {
      this.#split(table, hash);
      return;
    }
    const larger = emptyTable(capacity * (capacity < smallCapacity ? 4 : 2), depth);
    for (let slot = 0; slot < slots.length; slot += slotLength) if (slots[slot + 2] !== 0) put(larger, slots, slot);
    table.slots = larger.slots;
    table.mask = larger.mask;
  }

  /** Replaces a table by two, for one more bit of the hash. `hash`: that of one of its pairs. */
  #split({ slots, mask, depth }: Table, hash: number): void {
    if (2 ** depth === this.#tables.length) this.#tables = [...this.#tables, ...this.#tables];
    const halves = [emptyTable(mask + 1, depth + 1), emptyTable(mask + 1, depth + 1)];
    for (let slot = 0; slot < slots.length; slot += slotLength) {
      if (slots[slot + 2] === 0) continue;
      put(halves[(hashOf(slots[slot]!, slots[slot + 1]!) >>> (tableShift + depth)) & 1]!, slots, slot);
    }
    const shared = (hash >>> tableShift) & (2 ** depth - 1);
    for (let at = shared; at < this.#tables.length; at += 2 ** depth) this.#tables[at] = halves[(at >>> depth) & 1]!;
  }
}

function emptyTable(capacity: number, depth: number): Table {
  return { slots: new Int32Array(capacity * slotLength), mask: capacity - 1, size: 0, depth };
}

function hashOf(first: number, second: number): number {
  let hash = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b);
  // Each half of the hash depends on all bits of the pair.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return hash ^ (hash >>> 13);
}

/** The slot of a pair, or the free slot for it, as an index into the table's `slots`. */
function slotOf({ slots, mask }: Table, hash: number, first: number, second: number): number {
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const slot = at * slotLength;
    if (slots[slot + 2] === 0 || (slots[slot] === first && slots[slot + 1] === second)) return slot;
  }
}

/** Adds the pair at `slot` of `old` to a table that does not have it. */
function put(table: Table, old: Int32Array, slot: number): void {
  const first = old[slot]!;
  const second = old[slot + 1]!;
  const to = slotOf(table, hashOf(first, second), first, second);
  for (let i = 0; i < slotLength; i++) table.slots[to + i] = old[slot + i]!;
  table.size += 1;
}
