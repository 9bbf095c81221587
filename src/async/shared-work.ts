import { raceAbort } from "./abort.ts";

/**
 * Work that several callers may wait for. Each may stop waiting alone; when no caller waits any
 * more, the work is aborted.
 */
export class SharedWork<T> {
  /** The result of the work. */
  readonly result: Promise<T>;
  readonly #stopping = new AbortController();
  #waiting = 0;

  /** Starts `work`, with a signal that aborts when its last caller stops waiting. */
  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.result = work(this.#stopping.signal);
    // The rejection reaches the callers of `wait`.
    this.result.catch(() => undefined);
  }

  /** Whether every caller stopped waiting, so that the work may never finish. */
  get isAbandoned(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Settles as the work does. Rejects with the reason of `signal` when it aborts first. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await raceAbort(this.result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal?.aborted) this.#stopping.abort(signal.reason);
    }
  }
}
