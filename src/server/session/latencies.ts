/** The last so many durations, in milliseconds, and how they are spread. */
export class Latencies {
  readonly #most: number;
  readonly #all: number[] = [];

  /** `most` are remembered, at least one. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Takes one in. The oldest is forgotten where there are too many. */
  add(tookMs: number): void {
    this.#all.push(tookMs);
    if (this.#all.length > this.#most) this.#all.shift();
  }

  /** The duration that this share of them, from 0 to 1, does not exceed, by nearest rank; `undefined` where there are none. */
  percentile(share: number): number | undefined {
    const sorted = [...this.#all].sort((a, b) => a - b);
    return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  }
}
