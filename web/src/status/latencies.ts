import { type ReadonlySignal, type Signal, signal } from "@preact/signals";

/** The most values that are kept. */
const kept = 200;

/**
 * The latencies of the last requests in milliseconds, measured in the page.
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

/** The percentile of values, with `share` from 0 to 1; `undefined` without values. */
export function percentile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
