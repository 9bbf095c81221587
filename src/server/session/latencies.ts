/** The last durations, in milliseconds, and their percentiles. */
export class Latencies {
  readonly #most: number;
  readonly #all: number[] = [];

  /** Keeps the last `most` durations; at least one. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds a duration, and drops the oldest where there are too many. */
  add(tookMs: number): void {
    this.#all.push(tookMs);
    if (this.#all.length > this.#most) this.#all.shift();
  }

  /**
   * The duration that the given share, from 0 to 1, does not exceed, by nearest rank; `undefined`
   * where there is none.
   */
  percentile(share: number): number | undefined {
    const sorted = [...this.#all].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }
}
