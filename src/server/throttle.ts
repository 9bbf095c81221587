import type { Clock } from "../async/index.ts";

/** The options of a {@link Throttle}. */
export interface ThrottleOptions {
  readonly clock: Clock;
  /**
   * The least milliseconds between two calls, or a function that returns them for the current
   * state.
   */
  readonly everyMs: number | (() => number);
  notify(): void;
}

/**
 * Calls back on changes: on the first at once, then at most every `everyMs` milliseconds, and
 * always after the last one.
 */
export class Throttle implements Disposable {
  readonly #options: ThrottleOptions;
  #timer: Disposable | undefined;
  #isDue = false;
  #isClosed = false;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /** Marks that something has changed. */
  touch(): void {
    this.#isDue = true;
    if (this.#timer === undefined) this.flush();
  }

  /** Calls back at once if a change is pending. */
  flush(): void {
    if (!this.#isDue || this.#isClosed) return;
    const { clock, everyMs, notify } = this.#options;
    this.#isDue = false;
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.after(typeof everyMs === "number" ? everyMs : everyMs(), () => {
      this.#timer = undefined;
      this.flush();
    });
    notify();
  }

  /** Drops a pending call and ignores all further changes. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
  }
}
