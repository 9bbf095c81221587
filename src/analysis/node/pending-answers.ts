import { onAbort } from "../../async/index.ts";
import { EmendError, errorMessage } from "../../text/index.ts";
import type { CheckerName } from "./watch-checker.ts";

/**
 * The requests to a checker's process that have not settled. A killed process leaves requests
 * unanswered; its owner then calls {@link failAll}.
 */
export class PendingAnswers {
  readonly #checker: CheckerName;
  readonly #timeoutMs: number;
  /**
   * The waiting requests by signal. Each signal gets one listener for all of them, because Node
   * warns about more than ten, and adding one takes time that grows with their number.
   */
  readonly #waiting = new Map<AbortSignal | undefined, WaitingRequests>();

  /** `timeoutMs` is the most milliseconds of one request. */
  constructor(checker: CheckerName, timeoutMs: number) {
    this.#checker = checker;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Settles like `work`, or rejects earlier: by {@link failAll}, after the timeout, or with the
   * signal's reason when it aborts. A signal that is aborted already has no effect. All other
   * errors are an {@link EmendError}: `…-slow` after the timeout, and `…-failed` for other
   * rejections of `work`.
   */
  wait<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { name, code } = this.#checker;
    const timeoutMs = this.#timeoutMs;
    return new Promise<T>((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#leave(signal, fail);
      };
      const fail = (reason: unknown) => {
        stop();
        reject(reason);
      };
      const timer = setTimeout(
        () => fail(new EmendError(`${code}-slow`, `${name} did not answer within ${timeoutMs} ms.`)),
        timeoutMs,
      );
      this.#join(signal, fail);
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (cause: unknown) => {
          const message = `${name} could not answer: ${sentence(errorMessage(cause))}`;
          fail(cause instanceof EmendError ? cause : new EmendError(`${code}-failed`, message, { cause }));
        },
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

/** A text with a full stop. */
export function sentence(text: string): string {
  return text.endsWith(".") ? text : `${text}.`;
}
