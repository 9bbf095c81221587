import { untilAborted } from "../../edit/index.ts";

/** Work that several may wait for. Each may give up alone; when nobody waits any more, the work is stopped. */
export class SharedAnswer<T> {
  /** What the work comes to. */
  readonly answer: Promise<T>;
  readonly #stopping = new AbortController();
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.answer = work(this.#stopping.signal);
    // Whoever waits hears of it.
    this.answer.catch(() => undefined);
  }

  /** Whether nobody waited to the end, so that it may never be answered. */
  get isGivenUp(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** The answer. Rejects with the signal's reason where that comes first. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await untilAborted(this.answer, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal?.aborted) this.#stopping.abort(signal.reason);
    }
  }
}
