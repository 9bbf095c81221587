/** Why a request was given up. */
export type LifeEnd = "cancelled" | "superseded";

/**
 * How long a request is of use to somebody: until it is answered, cancelled by its caller, or
 * superseded by another.
 */
export class RequestLife {
  readonly #signal: AbortSignal | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #onAbort = () => this.end("cancelled");
  #end: LifeEnd | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#end = "cancelled";
    else signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** The reason of its end, or `undefined` while it runs. */
  get over(): LifeEnd | undefined {
    return this.#end;
  }

  /** Ends it, once. */
  end(why: LifeEnd): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** Calls `listener` when it ends, unless that is taken back before. */
  onEnd(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Lets go of the caller's signal. */
  close(): void {
    this.#signal?.removeEventListener("abort", this.#onAbort);
    this.#listeners.clear();
  }

  /** What `promise` gives, or `undefined` as soon as it is over. */
  async wait<T>(promise: Promise<T>): Promise<T | undefined> {
    if (this.#end !== undefined) return undefined;
    let stop: Disposable | undefined;
    const ended = new Promise<undefined>((resolve) => {
      stop = this.onEnd(() => resolve(undefined));
    });
    try {
      const value = await Promise.race([promise, ended]);
      return this.#end === undefined ? value : undefined;
    } finally {
      stop?.[Symbol.dispose]();
    }
  }
}
