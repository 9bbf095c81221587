/** Runs one task at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();

  /**
   * Waits for its turn, which ends when the answer is disposed of. Rejects with the signal's own
   * reason.
   */
  async take(signal: AbortSignal | undefined): Promise<Disposable> {
    signal?.throwIfAborted();
    let end!: () => void;
    const mine = new Promise<void>((resolve) => {
      end = resolve;
    });
    const before = this.#last;
    this.#last = before.then(() => mine);
    try {
      await (signal === undefined ? before : unlessAborted(before, signal));
    } catch (reason) {
      end();
      throw reason;
    }
    return { [Symbol.dispose]: end };
  }
}

function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    void work.then(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
  });
}
