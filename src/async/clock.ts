/** A source of time and timers. The real one is `systemClock` of `emend/workspace/node`. */
export interface Clock {
  /** Milliseconds since a fixed point in time; never decreases. */
  now(): number;
  /** Runs `task` once, after `delayMs` milliseconds. Disposing of the result cancels it. */
  after(delayMs: number, task: () => void): Disposable;
}
