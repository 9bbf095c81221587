import type { Clock } from "./clock.ts";

/** A {@link Clock} for tests, whose time changes only by {@link FakeClock.advance}. */
export class FakeClock implements Clock {
  #now = 0;
  #tasks: { readonly due: number; readonly task: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): Disposable {
    const entry = { due: this.#now + delayMs, task };
    this.#tasks.push(entry);
    return {
      [Symbol.dispose]: () => {
        this.#tasks = this.#tasks.filter((other) => other !== entry);
      },
    };
  }

  /** The number of scheduled tasks that have not run yet. */
  get waiting(): number {
    return this.#tasks.length;
  }

  /**
   * Advances the time by `ms` milliseconds and runs the tasks that become due, in order of their
   * due time.
   */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#tasks.filter(({ due }) => due <= end).sort((one, other) => one.due - other.due)[0];
      if (next === undefined) break;
      this.#tasks = this.#tasks.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.due);
      next.task();
    }
    this.#now = end;
  }
}
