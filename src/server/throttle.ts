import type { Clock } from "../codebase/index.ts";

/** How often something is told at most, and how. */
export interface ThrottleOptions {
  readonly clock: Clock;
  /** The fewest milliseconds between one and the next, or what tells them as things are then. */
  readonly everyMs: number | (() => number);
  tell(): void;
}

/** Tells of changes: the first at once, then not too often, and the last one always. */
export class Throttle implements Disposable {
  readonly #options: ThrottleOptions;
  #timer: Disposable | undefined;
  #isDue = false;
  #isClosed = false;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /** Something has changed. */
  touch(): void {
    this.#isDue = true;
    if (this.#timer === undefined) this.flush();
  }

  /** Tells at once what was not told yet. */
  flush(): void {
    if (!this.#isDue || this.#isClosed) return;
    const { clock, everyMs, tell } = this.#options;
    this.#isDue = false;
    this.#timer?.[Symbol.dispose]();
    this.#timer = clock.after(typeof everyMs === "number" ? everyMs : everyMs(), () => {
      this.#timer = undefined;
      this.flush();
    });
    tell();
  }

  /** What was not told by now is not told any more. */
  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.[Symbol.dispose]();
  }
}
