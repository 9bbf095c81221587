import { absent, PairMap } from "../tables/pair-map.ts";

/** The initial capacity, in numbers. */
const firstCapacity = 16;

/** Up to this many members are compared one by one; a look-up in the map costs more. */
const comparedMembers = 8;

/**
 * Sets of whole numbers from 0 to 2^31 - 2, numbered from 0; each keeps its members in insertion
 * order.
 *
 * They are linked lists in typed arrays, since most sets have one member. A set may grow during
 * iteration: `for (let at = sets.first(set); at !== absent; at = sets.next(at)) sets.value(at)`.
 */
export class NumberSets {
  /** The members of sets after the first {@link comparedMembers}. */
  readonly #known = new PairMap();
  /** The first and last cell of each set, incremented by 1, so that 0 marks an empty set. */
  #ends: Int32Array = new Int32Array(firstCapacity);
  /** The value of each cell and the next cell. */
  #cells: Int32Array = new Int32Array(firstCapacity);
  #cellCount = 0;

  /** Adds `value` to `set`; returns whether it was new. */
  add(set: number, value: number): boolean {
    let compared = 0;
    for (let cell = this.first(set); cell !== absent && compared < comparedMembers; cell = this.#cells[cell * 2 + 1]!) {
      if (this.#cells[cell * 2] === value) return false;
      compared += 1;
    }
    // Later members are all in the map.
    if (compared === comparedMembers && !this.#known.add(set, value)) return false;
    const cell = this.#cellCount++;
    this.#cells = withRoom(this.#cells, cell * 2 + 2);
    this.#ends = withRoom(this.#ends, set * 2 + 2);
    this.#cells[cell * 2] = value;
    this.#cells[cell * 2 + 1] = absent;
    const last = this.#ends[set * 2 + 1]! - 1;
    if (last === absent) this.#ends[set * 2] = cell + 1;
    else this.#cells[last * 2 + 1] = cell;
    this.#ends[set * 2 + 1] = cell + 1;
    return true;
  }

  /** The first cell of `set`; `absent` for an empty set. */
  first(set: number): number {
    return set * 2 < this.#ends.length ? this.#ends[set * 2]! - 1 : absent;
  }

  /** The cell after `cell`; `absent` after the last. */
  next(cell: number): number {
    return this.#cells[cell * 2 + 1]!;
  }

  /** The value of `cell`. */
  value(cell: number): number {
    return this.#cells[cell * 2]!;
  }

  /** The members of `set`, in insertion order. */
  all(set: number): readonly number[] {
    const all: number[] = [];
    for (let cell = this.first(set); cell !== absent; cell = this.next(cell)) all.push(this.value(cell));
    return all;
  }
}

/** `numbers`, or a larger copy, with a length of at least `count`. */
function withRoom(numbers: Int32Array, count: number): Int32Array {
  if (count <= numbers.length) return numbers;
  const larger = new Int32Array(Math.max(count, numbers.length * 2));
  larger.set(numbers);
  return larger;
}
