/** How long a word may be, in UTF-16 units; what is longer is no word that a person wrote. */
export const maxWordLength = 128;

/**
 * Words as whole numbers, given out from 0 in the order in which words are first seen.
 *
 * An open hash table over one pool of characters: looking a word up makes no string. Two bytes a
 * character and about 40 a word.
 */
export class WordTable {
  /** The id of the word in each slot plus one; 0 where the slot is free. */
  #slots = new Int32Array(1 << 12);
  #hashes = new Int32Array(1 << 10);
  /** Where each word begins in the pool; one more than there are words. */
  #starts = new Uint32Array((1 << 10) + 1);
  #pool = new Uint16Array(1 << 13);
  #size = 0;
  /** Where each word's parts begin in `#parts`, plus one; 0 where they are not known. */
  #partStarts = new Int32Array(1 << 10);
  /** For each word whose parts are known how many they are, then which. */
  #parts = new Int32Array(1 << 10);
  #partsLength = 0;

  /** How many words there are. Ids are below it. */
  get size(): number {
    return this.#size;
  }

  /**
   * The id of the word `units[start, end)`, which is added if it has none. `hash` is its {@link
   * hashWord}.
   */
  intern(units: Uint16Array, start: number, end: number, hash = hashWord(units, start, end)): number {
    const slot = this.#slotOf(units, start, end, hash);
    const found = this.#slots[slot]! - 1;
    return found >= 0 ? found : this.#add(units, start, end, hash, slot);
  }

  /** The id of the word `units[start, end)`, or -1 when it has none. */
  find(units: Uint16Array, start: number, end: number, hash = hashWord(units, start, end)): number {
    return this.#slots[this.#slotOf(units, start, end, hash)]! - 1;
  }

  /** The word with this id, which must be below {@link size}. */
  wordOf(id: number): string {
    return String.fromCharCode(...this.#pool.subarray(this.#starts[id], this.#starts[id + 1]));
  }

  /**
   * The id that the word with `id` of another table has here; it is added if it has none. Its parts
   * are not copied.
   */
  internFrom(other: WordTable, id: number): number {
    return this.intern(other.#pool, other.#starts[id]!, other.#starts[id + 1]!);
  }

  /** How many parts a word has, see {@link setParts}; -1 while they are not set. */
  partCount(id: number): number {
    const start = this.#partStarts[id]!;
    return start === 0 ? -1 : this.#parts[start - 1]!;
  }

  /** The id of a word's part number `index`, from 0, which must be below its {@link partCount}. */
  part(id: number, index: number): number {
    return this.#parts[this.#partStarts[id]! + index]!;
  }

  /** Sets the ids of the words that a word is put together from. */
  setParts(id: number, parts: Int32Array): void {
    const end = this.#partsLength + parts.length + 1;
    if (end > this.#parts.length) this.#parts = grown(this.#parts, new Int32Array(end * 2));
    this.#parts[this.#partsLength] = parts.length;
    this.#parts.set(parts, this.#partsLength + 1);
    this.#partStarts[id] = this.#partsLength + 1;
    this.#partsLength = end;
  }

  #slotOf(units: Uint16Array, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const id = this.#slots[slot]! - 1;
      if (id < 0 || (this.#hashes[id] === hash && this.#isWord(id, units, start, end))) return slot;
      slot = (slot + 1) & mask;
    }
  }

  #isWord(id: number, units: Uint16Array, start: number, end: number): boolean {
    let at = this.#starts[id]!;
    if (this.#starts[id + 1]! - at !== end - start) return false;
    for (let i = start; i < end; i++, at++) if (this.#pool[at] !== units[i]) return false;
    return true;
  }

  #add(units: Uint16Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.#size++;
    const from = this.#starts[id]!;
    const to = from + end - start;
    if (id === this.#hashes.length) {
      this.#hashes = grown(this.#hashes, new Int32Array(id * 2));
      this.#starts = grown(this.#starts, new Uint32Array(id * 2 + 1));
      this.#partStarts = grown(this.#partStarts, new Int32Array(id * 2));
    }
    if (to > this.#pool.length) this.#pool = grown(this.#pool, new Uint16Array(Math.max(to, this.#pool.length * 2)));
    for (let i = start, at = from; i < end; i++, at++) this.#pool[at] = units[i]!;
    this.#starts[id + 1] = to;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      const hash = this.#hashes[id]!;
      let slot = (hash ^ (hash >>> 15)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

/**
 * The hash of the word `units[start, end)`, a signed 32-bit integer: FNV-1a over UTF-16 units, so
 * that a caller can also compute it step by step.
 */
export function hashWord(units: Uint16Array, start: number, end: number): number {
  let hash = hashSeed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ units[i]!, hashFactor);
  return hash;
}

/** Where {@link hashWord} begins. */
export const hashSeed = 0x811c9dc5 | 0;
/** What {@link hashWord} multiplies with after each unit. */
export const hashFactor = 0x01000193;

function grown<T extends Int32Array | Uint32Array | Uint16Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
