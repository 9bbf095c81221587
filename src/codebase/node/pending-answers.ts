/** How long an answer is waited for, and what is said where there is none. */
export interface AnswerWait {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Why it took too long. */
  readonly slow: () => Error;
  /** What is told where the work itself failed. */
  readonly failed: (cause: unknown) => unknown;
}

/** The answers that a process owes. A killed process may leave questions without any answer: whoever hears of its end fails them. */
export class PendingAnswers {
  readonly #waiting = new Set<(reason: unknown) => void>();

  /** Settles as `work` does, or rejects where the process ends, the time is over, or nobody waits any more. */
  wait<T>(work: Promise<T>, { signal, timeoutMs, slow, failed }: AnswerWait): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(fail);
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const fail = (reason: unknown) => {
        stop();
        reject(reason);
      };
      const abort = () => fail(signal?.reason);
      const timer = setTimeout(() => fail(slow()), timeoutMs);
      this.#waiting.add(fail);
      signal?.addEventListener("abort", abort, { once: true });
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (cause: unknown) => fail(failed(cause)),
      );
    });
  }

  /** Rejects all that are waited for. */
  failAll(reason: unknown): void {
    for (const fail of [...this.#waiting]) fail(reason);
  }
}
