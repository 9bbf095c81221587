/** A priority queue: a binary heap of values with the least cost first. */
export class MinHeap<Value> {
  readonly #values: Value[] = [];
  readonly #costs: number[] = [];

  get size(): number {
    return this.#values.length;
  }

  /** Adds a value. Which of two values with the same cost comes first is not defined. */
  push(cost: number, value: Value): void {
    let hole = this.#values.length;
    this.#values.push(value);
    this.#costs.push(cost);
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (this.#costs[parent]! <= cost) break;
      this.#move(parent, hole);
      hole = parent;
    }
    this.#put(hole, cost, value);
  }

  /** Removes and returns a value with the least cost; `undefined` when empty. */
  pop(): { readonly cost: number; readonly value: Value } | undefined {
    const value = this.#values[0];
    const cost = this.#costs[0];
    const last = this.#values.pop();
    const lastCost = this.#costs.pop();
    if (cost === undefined) return undefined;
    const size = this.#values.length;
    if (size > 0) this.#sink(lastCost!, last as Value, size);
    return { cost, value: value as Value };
  }

  #sink(cost: number, value: Value, size: number): void {
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= size) break;
      if (child + 1 < size && this.#costs[child + 1]! < this.#costs[child]!) child++;
      if (this.#costs[child]! >= cost) break;
      this.#move(child, hole);
      hole = child;
    }
    this.#put(hole, cost, value);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#costs[from]!, this.#values[from] as Value);
  }

  #put(at: number, cost: number, value: Value): void {
    this.#costs[at] = cost;
    this.#values[at] = value;
  }
}
