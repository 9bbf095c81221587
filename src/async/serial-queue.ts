import { raceAbort } from "./abort.ts";

/** Runs one piece of work at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Runs `work` after everything that was added before has ended, also where that has failed.
   * Settles as `work` does. Rejects with the signal's reason, without running `work`, where the
   * signal is aborted when its turn comes.
   */
  run<T>(work: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
    const result = this.#last.then(() => {
      signal?.throwIfAborted();
      return work();
    });
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Resolves when everything that was added so far has ended; never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /**
   * Waits for its turn, which ends when the result is disposed of. Rejects with the signal's own
   * reason when it aborts first.
   */
  async take(signal: AbortSignal | undefined): Promise<Disposable> {
    signal?.throwIfAborted();
    let end!: () => void;
    const turn = new Promise<void>((resolve) => {
      end = resolve;
    });
    const before = this.#last;
    this.#last = before.then(() => turn);
    try {
      await raceAbort(before, signal);
    } catch (reason) {
      end();
      throw reason;
    }
    return { [Symbol.dispose]: end };
  }
}
