import { onAbort } from "../../async/index.ts";

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
  /**
   * The waiting requests by signal. Each signal gets one listener for all of them, because Node
   * warns about more than ten, and adding one takes time that grows with their number.
   */
  readonly #waiting = new Map<AbortSignal | undefined, WaitingRequests>();

  /**
   * Settles like `work`, where a rejection of it becomes `failed(cause)`; or rejects earlier: by
   * {@link failAll}, with `slow()` after `timeoutMs`, or with the signal's reason when it aborts. A
   * signal that is aborted already has no effect.
   */
  wait<T>(work: Promise<T>, { signal, timeoutMs, slow, failed }: AnswerWait): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#leave(signal, fail);
      };
      const fail = (reason: unknown) => {
        stop();
        reject(reason);
      };
      const timer = setTimeout(() => fail(slow()), timeoutMs);
      this.#join(signal, fail);
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (cause: unknown) => fail(failed(cause)),
      );
    });
  }

  #join(signal: AbortSignal | undefined, fail: (reason: unknown) => void): void {
    let known = this.#waiting.get(signal);
    if (known === undefined) {
      const fails = new Set<(reason: unknown) => void>();
      const listener = onAbort(signal, (reason) => {
        for (const one of [...fails]) one(reason);
      });
      known = { fails, listener };
      this.#waiting.set(signal, known);
    }
    known.fails.add(fail);
  }

  #leave(signal: AbortSignal | undefined, fail: (reason: unknown) => void): void {
    const known = this.#waiting.get(signal);
    known?.fails.delete(fail);
    if (known?.fails.size !== 0) return;
    known.listener[Symbol.dispose]();
    this.#waiting.delete(signal);
  }

  /** Rejects all waiting requests with `reason`. */
  failAll(reason: unknown): void {
    for (const { fails } of [...this.#waiting.values()]) for (const fail of [...fails]) fail(reason);
  }
}

interface WaitingRequests {
  readonly fails: Set<(reason: unknown) => void>;
  readonly listener: Disposable;
}
