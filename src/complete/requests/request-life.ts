import { type Clock, onAbort, pause, raceAbort } from "../../async/index.ts";
import { EmendError } from "../../text/index.ts";

/** Why a request was given up. */
export type LifeEnd = "cancelled" | "superseded";

/**
 * How long a request is of use to somebody: until it is answered, cancelled by its caller, or
 * superseded by another.
 */
export class RequestLife {
  readonly #stop = new AbortController();
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

  /** Aborts when the request ends. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Ends the request; does nothing where it has ended. */
  end(why: LifeEnd): void {
    if (this.#end !== undefined) return;
    this.#end = why;
    this.#stop.abort(new EmendError("not-wanted", "The request is no longer needed."));
  }

  /** Removes the listener of the caller's signal. */
  close(): void {
    this.#listener[Symbol.dispose]();
  }

  /**
   * Resolves or rejects as `promise` does, or resolves to `undefined` as soon as the request ends.
   */
  async wait<T>(promise: Promise<T>): Promise<T | undefined> {
    try {
      const value = await raceAbort(promise, this.signal);
      return this.#end === undefined ? value : undefined;
    } catch (error) {
      if (this.#end === undefined) throw error;
      return undefined;
    }
  }

  /** Resolves after `ms` milliseconds, or as soon as the request ends. */
  async pause(ms: number, clock: Clock): Promise<void> {
    await this.wait(pause(ms, { clock, signal: this.signal }));
  }
}
