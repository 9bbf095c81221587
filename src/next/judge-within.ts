import type { Clock } from "../codebase/index.ts";
import { sleep } from "../complete/index.ts";
import type { TypeJudge } from "./type-judge.ts";

/**
 * A judge that is not waited for longer than `ms` milliseconds: then it knows nothing. Of a file about which it did not answer in time, as of one of ten thousand lines,
 * it is not asked for a while: all proposals of a moment would wait for it one after the other, and it still works on what nobody waits for any more.
 */
export function judgeWithin(judge: TypeJudge, clock: Clock, ms: number): TypeJudge {
  /** Until when a file is not asked about. */
  const tooLongUntilMs = new Map<string, number>();
  const within = async <Answer>(
    path: string | undefined,
    unknown: Answer,
    ask: (signal: AbortSignal) => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> => {
    if (path !== undefined && (tooLongUntilMs.get(path) ?? Number.NEGATIVE_INFINITY) > clock.now()) return unknown;
    const patience = new AbortController();
    const giveUp = () => patience.abort(signal?.reason);
    if (signal?.aborted) giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    const passing = sleep(clock, ms);
    const judging = ask(patience.signal).then((answer) => ({ answer }));
    // Whoever is left behind may fail unheard.
    judging.catch(() => undefined);
    try {
      const judged = await Promise.race([judging, passing]);
      if (judged) return judged.answer;
      if (path !== undefined) tooLongUntilMs.set(path, clock.now() + pauseMs);
      return unknown;
    } finally {
      passing.stop();
      signal?.removeEventListener("abort", giveUp);
      patience.abort();
    }
  };
  return {
    judge: (proposed, options = {}) =>
      within(proposed.path, { kind: "unknown" }, (signal) => judge.judge(proposed, { signal }), options.signal),
    hasErrors: (paths, options = {}) =>
      within(paths[0], false, async (signal) => (await judge.hasErrors?.(paths, { signal })) ?? true, options.signal),
  };
}

/** How long a file is not asked about after the judge did not answer in time, in milliseconds. */
const pauseMs = 20_000;
