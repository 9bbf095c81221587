import { type Clock, LinkedController, resultWithin } from "../../async/index.ts";

/** Runs `ask` with a time limit; see {@link answerWithin}. */
export type AskWithin = <Answer>(
  /** The file that the question is about; `undefined` where it is about no single file. */
  path: string | undefined,
  unknown: Answer,
  ask: (signal: AbortSignal) => Promise<Answer>,
  signal: AbortSignal | undefined,
) => Promise<Answer>;

/**
 * Returns a function that runs a question with a time limit of `limitMs()` milliseconds.
 *
 * On timeout the result is `unknown`, and the signal that `ask` received is aborted. For 20 seconds
 * after a timeout every further question about that file is answered with `unknown` at once:
 * otherwise all proposals of a request would wait for that file, one after the other. Rejects where
 * `ask` rejects within the limit. An abort of the caller's signal is only passed on to `ask`.
 */
export function answerWithin(clock: Clock, limitMs: () => number): AskWithin {
  /** By path, the time in milliseconds until which no question about the file is run. */
  const pausedUntilMs = new Map<string, number>();
  return async (path, unknown, ask, signal) => {
    if (path !== undefined && (pausedUntilMs.get(path) ?? Number.NEGATIVE_INFINITY) > clock.now()) return unknown;
    const controller = new LinkedController(signal);
    const pending = ask(controller.signal).then((answer) => ({ answer }));
    try {
      const result = await resultWithin(pending, { clock, limitMs: limitMs() });
      if (result) return result.answer;
      if (path !== undefined) pausedUntilMs.set(path, clock.now() + pauseMs);
      return unknown;
    } finally {
      controller.abort();
    }
  };
}

/** How long no question about a file is run after a timeout, in milliseconds. */
const pauseMs = 20_000;
