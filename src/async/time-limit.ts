import { LinkedController, onAbort } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** How long to wait, and how a wait that ends early rejects. */
export interface TimeLimit {
  readonly clock: Pick<Clock, "after">;
  /** Milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
  /** Makes the error for a timeout. */
  readonly late: () => Error;
}

/**
 * Resolves or rejects as `work` does, unless the time is over or the signal aborts first: then it
 * rejects with `late()` or the signal's own reason. `work` itself is not stopped, and its later
 * result or rejection is ignored.
 */
export function withTimeout<T>(work: Promise<T>, { clock, limitMs, signal, late }: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      work.catch(() => {});
      reject(signal.reason);
      return;
    }
    const timer = clock.after(limitMs, () => {
      leave();
      reject(late());
    });
    const listener = onAbort(signal, (reason) => {
      leave();
      reject(reason);
    });
    const leave = () => {
      timer[Symbol.dispose]();
      listener[Symbol.dispose]();
    };
    work.then(
      (value) => {
        leave();
        resolve(value);
      },
      (reason: unknown) => {
        leave();
        reject(reason);
      },
    );
  });
}

/**
 * As {@link withTimeout}, for work that takes a signal, which is aborted when the wait has ended,
 * however it ends.
 */
export async function runWithTimeout<T>(work: (signal: AbortSignal) => Promise<T>, limit: TimeLimit): Promise<T> {
  const connection = new LinkedController(limit.signal);
  try {
    return await withTimeout(work(connection.signal), limit);
  } finally {
    connection.abort();
  }
}

/**
 * Resolves or rejects as `work` does, or resolves to `undefined` after `limitMs` milliseconds.
 * `work` itself is not stopped, and its later rejection is ignored.
 */
export function resultWithin<T>(
  work: Promise<T>,
  { clock, limitMs }: Pick<TimeLimit, "clock" | "limitMs">,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(limitMs, () => resolve(undefined));
    work.then(resolve, reject).finally(() => timer[Symbol.dispose]());
  });
}

/**
 * Resolves after `limitMs` milliseconds. Rejects with the signal's own reason when it aborts first.
 */
export function pause(limitMs: number, { clock, signal }: Pick<TimeLimit, "clock" | "signal">): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const timer = clock.after(limitMs, () => {
      listener[Symbol.dispose]();
      resolve();
    });
    const listener = onAbort(signal, (reason) => {
      timer[Symbol.dispose]();
      reject(reason);
    });
  });
}
