import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** So many are kept. */
const kept = 200;

/**
 * How long the last requests took, in milliseconds, from the key to the answer as the page sees it.
 */
export class Latencies {
  readonly #all: Signal<readonly number[]> = signal([]);

  /** The oldest first. */
  get all(): ReadonlySignal<readonly number[]> {
    return this.#all;
  }

  take(ms: number): void {
    this.#all.value = [...this.#all.value.slice(1 - kept), ms];
  }
}

/** The value that a share of all does not exceed; `undefined` of none. `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
