import { onAbort } from "../../async/index.ts";

/** Why a request was given up. */
export type LifeEnd = "cancelled" | "superseded";

/**
 * How long a request is of use to somebody: until it is answered, cancelled by its caller, or
 * superseded by another.
 */
export class RequestLife {
  readonly #listeners = new Set<() => void>();
  readonly #listener: Disposable;
  #end: LifeEnd | undefined;

  /** The request is cancelled when `signal` aborts; call {@link close} once it is answered. */
  constructor(signal: AbortSignal | undefined) {
    this.#listener = onAbort(signal, () => this.end("cancelled"));
  }

  /** The reason of its end, or `undefined` while it runs. */
  get over(): LifeEnd | undefined {
    return this.#end;
  }

  /** Ends the request and calls the listeners; does nothing where it has ended. */
  end(why: LifeEnd): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /**
   * Calls `listener` when the request ends, unless the result is disposed of before. Never where it
   * has ended already.
   */
  onEnd(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Removes all listeners, also that of the caller's signal. */
  close(): void {
    this.#listener[Symbol.dispose]();
    this.#listeners.clear();
  }

  /**
   * Resolves or rejects as `promise` does, or resolves to `undefined` as soon as the request ends.
   */
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
