/** A source of time and timers. The real one is `systemClock` of `emend/workspace/node`. */
export interface Clock {
  /** Milliseconds since a fixed point in time; never decreases. */
  now(): number;
  /** Runs `task` once, after `delayMs` milliseconds. Disposing of the result cancels it. */
  after(delayMs: number, task: () => void): Disposable;
}

/** A time that passes. */
export interface Sleep extends Promise<undefined> {
  /** Takes it back; it never settles then. */
  stop(): void;
  /** Whether it has passed. */
  readonly isOver: boolean;
}

/** Resolves to `undefined` after `ms` milliseconds of the clock; never once it is stopped. */
export function sleep(clock: Clock, ms: number): Sleep {
  let isOver = false;
  let timer: Disposable | undefined;
  const passing = new Promise<undefined>((resolve) => {
    timer = clock.after(ms, () => {
      isOver = true;
      resolve(undefined);
    });
  });
  return Object.defineProperty(Object.assign(passing, { stop: () => timer?.[Symbol.dispose]() }), "isOver", {
    get: () => isOver,
  }) as Sleep;
}
