/** Time, as far as Emend needs it: waiting. The real one is in `emend/codebase/node`. */
export interface Clock {
  /** Milliseconds since some fixed moment; it never goes back. */
  now(): number;
  /** Runs `task` once, `delayMs` from now; disposing of the answer takes it back. */
  after(delayMs: number, task: () => void): Disposable;
}
