import type { Clock } from "../../async/index.ts";

/**
 * A clock in the time of a recording: it runs as the given clock does, and leaps to the time of
 * each event. It never goes back.
 */
export class ReplayClock implements Clock {
  readonly #clock: Clock;
  readonly #waiting = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  /** The milliseconds added to the clock's time. */
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = -clock.now();
  }

  /** The time of the recording, in milliseconds. */
  now(): number {
    return this.#clock.now() + this.#aheadMs;
  }

  /**
   * Runs a task after `delayMs` milliseconds of the recording's time, unless the result is disposed
   * of before.
   */
  after(delayMs: number, task: () => void): Disposable {
    const stop = () => {
      this.#waiting.delete(entry);
      timer[Symbol.dispose]();
    };
    const run = () => {
      stop();
      task();
    };
    const entry = { dueMs: this.now() + delayMs, run };
    const timer = this.#clock.after(delayMs, run);
    this.#waiting.add(entry);
    return { [Symbol.dispose]: stop };
  }

  /**
   * Leaps to a later time in milliseconds, and runs the tasks due before it, in order. Nothing for
   * an earlier time.
   */
  leapTo(ms: number): void {
    const leapMs = ms - this.now();
    if (leapMs <= 0) return;
    this.#aheadMs += leapMs;
    const due = [...this.#waiting].filter(({ dueMs }) => dueMs <= ms).sort((one, other) => one.dueMs - other.dueMs);
    for (const { run } of due) run();
  }
}
