import type { ModelClock } from "../model-host.ts";

/** How long to wait, and who may stop it. */
export interface Patience {
  readonly clock: ModelClock;
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
  /** What to fail with when the time is over. */
  readonly late: () => Error;
}

/**
 * The result of `work`, unless the time is over or the signal aborts first; then it rejects with
 * `late()` or the signal's own reason. `work` itself is not stopped, and what becomes of it later
 * is ignored.
 */
export function waitFor<T>(work: Promise<T>, { clock, limitMs, signal, late }: Patience): Promise<T> {
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
    const stop = () => {
      leave();
      reject(signal?.reason);
    };
    const leave = () => {
      timer[Symbol.dispose]();
      signal?.removeEventListener("abort", stop);
    };
    signal?.addEventListener("abort", stop);
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
 * Lets `limitMs` pass, unless the signal aborts first: then it rejects with the signal's own
 * reason.
 */
export function pause(limitMs: number, { clock, signal }: Pick<Patience, "clock" | "signal">): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const timer = clock.after(limitMs, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    const stop = () => {
      timer[Symbol.dispose]();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}
