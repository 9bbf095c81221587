import { absent, PairMap } from "../tables/pair-map.ts";

/** How many numbers there is room for at first. */
const firstCapacity = 16;

/** So many members of a set are compared one by one: a look into a map costs more. */
const comparedMembers = 8;

/**
 * Sets of whole numbers of 31 bits, by number, each in the order that its members were added in.
 * They are kept as linked cells in flat memory, since most have one member.
 *
 * A set can be walked while it grows:
 * `for (let at = sets.first(set); at !== absent; at = sets.next(at)) sets.value(at)`.
 */
export class NumberSets {
  /** The members of sets behind the first {@link comparedMembers}. */
  readonly #known = new PairMap();
  /** Of each set, its first cell and its last, each one higher, so that a fresh set is empty. */
  #ends: Int32Array = new Int32Array(firstCapacity);
  /** Of each cell, its value and the next cell. */
  #cells: Int32Array = new Int32Array(firstCapacity);
  #cellCount = 0;

  /** Adds `value` to `set`, unless it has it; whether it did. */
  add(set: number, value: number): boolean {
    let compared = 0;
    for (let cell = this.first(set); cell !== absent && compared < comparedMembers; cell = this.#cells[cell * 2 + 1]!) {
      if (this.#cells[cell * 2] === value) return false;
      compared += 1;
    }
    // Those behind the first ones are all in the map.
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

  /** The first cell of `set`; `absent` where it is empty. */
  first(set: number): number {
    return set * 2 < this.#ends.length ? this.#ends[set * 2]! - 1 : absent;
  }

  /** The cell after `cell`; `absent` behind the last. */
  next(cell: number): number {
    return this.#cells[cell * 2 + 1]!;
  }

  /** The member that `cell` holds. */
  value(cell: number): number {
    return this.#cells[cell * 2]!;
  }

  /** The members of `set`. */
  all(set: number): readonly number[] {
    const all: number[] = [];
    for (let cell = this.first(set); cell !== absent; cell = this.next(cell)) all.push(this.value(cell));
    return all;
  }
}

/** `numbers`, with room for `count` at least. */
function withRoom(numbers: Int32Array, count: number): Int32Array {
  if (count <= numbers.length) return numbers;
  const larger = new Int32Array(Math.max(count, numbers.length * 2));
  larger.set(numbers);
  return larger;
}
