/** The options of work that can be aborted; then it rejects with the signal's reason. */
export interface AbortOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Calls `listener` with the signal's reason when the signal aborts; at once where it is aborted
 * already, never where there is no signal. Disposing of the result removes the listener.
 */
export function onAbort(signal: AbortSignal | undefined, listener: (reason: unknown) => void): Disposable {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    listener(signal.reason);
    return nothing;
  }
  const abort = () => listener(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  return { [Symbol.dispose]: () => signal.removeEventListener("abort", abort) };
}

const nothing: Disposable = { [Symbol.dispose]: () => undefined };

/**
 * Resolves or rejects as `work` does, unless `signal` aborts earlier: then it rejects at once with
 * the signal's own reason.
 *
 * After an abort the work is not awaited and its rejection is ignored.
 */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const listener = onAbort(signal, reject);
    work.then(
      (value) => {
        listener[Symbol.dispose]();
        resolve(value);
      },
      (reason: unknown) => {
        listener[Symbol.dispose]();
        reject(reason);
      },
    );
  });
}

/**
 * An abort controller that also aborts, with the same reason, when one of other signals does; at
 * once where one is aborted already. Disposing of it removes its listeners without an abort.
 *
 * `AbortSignal.any` would do, but in Node 20 a signal that lives long keeps every signal made of
 * it.
 */
export class LinkedController implements Disposable {
  readonly #controller = new AbortController();
  readonly #listeners: Disposable[] = [];

  constructor(...signals: readonly (AbortSignal | undefined)[]) {
    for (const signal of signals) this.#listeners.push(onAbort(signal, (reason) => this.abort(reason)));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Aborts with `reason`, or the default of the platform, and removes the listeners; has no effect
   * after the first abort.
   */
  abort(reason?: unknown): void {
    this[Symbol.dispose]();
    this.#controller.abort(reason);
  }

  [Symbol.dispose](): void {
    for (const listener of this.#listeners.splice(0)) listener[Symbol.dispose]();
  }
}
