/** How long {@link PendingAnswers.wait} waits, and how it rejects. */
export interface AnswerWait {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Makes the error for a timeout. */
  readonly slow: () => Error;
  /** Makes the error for a rejection of the work itself. */
  readonly failed: (cause: unknown) => unknown;
}

/**
 * The requests to a process that have not settled. A killed process leaves requests unanswered; its
 * owner then calls {@link failAll}.
 */
export class PendingAnswers {
  readonly #waiting = new Set<(reason: unknown) => void>();
  /**
   * The waiting requests by signal. Each signal gets one listener for all of them, because Node
   * warns about more than ten.
   */
  readonly #bySignal = new Map<AbortSignal, { readonly fails: Set<(reason: unknown) => void>; unlisten(): void }>();

  /**
   * Settles like `work`, where a rejection of it becomes `failed(cause)`; or rejects earlier: by
   * {@link failAll}, with `slow()` after `timeoutMs`, or with the signal's reason when it aborts. A
   * signal that is aborted already has no effect.
   */
  wait<T>(work: Promise<T>, { signal, timeoutMs, slow, failed }: AnswerWait): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(fail);
        clearTimeout(timer);
        if (signal) this.#leave(signal, fail);
      };
      const fail = (reason: unknown) => {
        stop();
        reject(reason);
      };
      const timer = setTimeout(() => fail(slow()), timeoutMs);
      this.#waiting.add(fail);
      if (signal) this.#join(signal, fail);
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (cause: unknown) => fail(failed(cause)),
      );
    });
  }

  #join(signal: AbortSignal, fail: (reason: unknown) => void): void {
    const known = this.#bySignal.get(signal);
    if (known !== undefined) {
      known.fails.add(fail);
      return;
    }
    const fails = new Set([fail]);
    const abort = () => {
      for (const one of [...fails]) one(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    this.#bySignal.set(signal, { fails, unlisten: () => signal.removeEventListener("abort", abort) });
  }

  #leave(signal: AbortSignal, fail: (reason: unknown) => void): void {
    const known = this.#bySignal.get(signal);
    known?.fails.delete(fail);
    if (known?.fails.size !== 0) return;
    known.unlisten();
    this.#bySignal.delete(signal);
  }

  /** Rejects all waiting requests with `reason`. */
  failAll(reason: unknown): void {
    for (const fail of [...this.#waiting]) fail(reason);
  }
}
