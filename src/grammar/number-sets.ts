import { absent, PairMap } from "./pair-map.ts";

/**
 * Sets of whole numbers, by number, each in the order that its members were added in. They are kept as linked cells in flat memory,
 * since most have one member.
 *
 * A set can be walked while it grows: `for (let at = sets.first(set); at !== absent; at = sets.next(at)) sets.value(at)`.
 */
export class NumberSets {
  readonly #known = new PairMap();
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  readonly #values: number[] = [];
  readonly #next: number[] = [];

  /** Adds `value` to `set`, unless it has it; whether it did. */
  add(set: number, value: number): boolean {
    if (!this.#known.add(set, value)) return false;
    const cell = this.#values.length;
    this.#values.push(value);
    this.#next.push(absent);
    while (this.#first.length <= set) {
      this.#first.push(absent);
      this.#last.push(absent);
    }
    if (this.#first[set] === absent) this.#first[set] = cell;
    else this.#next[this.#last[set]!] = cell;
    this.#last[set] = cell;
    return true;
  }

  /** The first cell of `set`; `absent` where it is empty. */
  first(set: number): number {
    return set < this.#first.length ? this.#first[set]! : absent;
  }

  /** The cell after `cell`; `absent` behind the last. */
  next(cell: number): number {
    return this.#next[cell]!;
  }

  /** The member that `cell` holds. */
  value(cell: number): number {
    return this.#values[cell]!;
  }

  /** The members of `set`. */
  all(set: number): readonly number[] {
    const all: number[] = [];
    for (let cell = this.first(set); cell !== absent; cell = this.next(cell)) all.push(this.value(cell));
    return all;
  }
}
