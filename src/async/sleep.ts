import type { Clock } from "./clock.ts";

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
