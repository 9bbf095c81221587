import { NumberColumn } from "../tables/number-column.ts";
import { absent, PairMap } from "../tables/pair-map.ts";

/** Up to this many members are compared one by one; a look-up in the map costs more. */
const comparedMembers = 8;

/**
 * Sets of whole numbers from 0 to 2^31 - 2, numbered from 0; each keeps its members in insertion
 * order.
 *
 * They are linked lists in columns, since most sets have one member. A set may grow during
 * iteration: `for (let at = sets.first(set); at !== absent; at = sets.next(at)) sets.value(at)`.
 */
export class NumberSets {
  /** The members of sets after the first {@link comparedMembers}. */
  readonly #known = new PairMap();
  /** The first and last cell of each set, incremented by 1, so that 0 marks an empty set. */
  readonly #firstCells = new NumberColumn();
  readonly #lastCells = new NumberColumn();
  /** The value of each cell. */
  readonly #values = new NumberColumn();
  /** The cell after each, incremented by 1; 0 after the last. */
  readonly #nextCells = new NumberColumn();
  #cellCount = 0;

  /** Adds `value` to `set`; returns whether it was new. */
  add(set: number, value: number): boolean {
    let compared = 0;
    for (let cell = this.first(set); cell !== absent && compared < comparedMembers; cell = this.next(cell)) {
      if (this.#values.get(cell) === value) return false;
      compared += 1;
    }
    // Later members are all in the map.
    if (compared === comparedMembers && !this.#known.add(set, value)) return false;
    const cell = this.#cellCount++;
    this.#values.set(cell, value);
    const last = this.#lastCells.get(set) - 1;
    if (last === absent) this.#firstCells.set(set, cell + 1);
    else this.#nextCells.set(last, cell + 1);
    this.#lastCells.set(set, cell + 1);
    return true;
  }

  /** The first cell of `set`; `absent` for an empty set. */
  first(set: number): number {
    return this.#firstCells.get(set) - 1;
  }

  /** The cell after `cell`; `absent` after the last. */
  next(cell: number): number {
    return this.#nextCells.get(cell) - 1;
  }

  /** The value of `cell`. */
  value(cell: number): number {
    return this.#values.get(cell);
  }

  /** The members of `set`, in insertion order. */
  all(set: number): readonly number[] {
    const all: number[] = [];
    for (let cell = this.first(set); cell !== absent; cell = this.next(cell)) all.push(this.value(cell));
    return all;
  }
}
