import type { Clock } from "../codebase/index.ts";
import { sleep } from "../complete/index.ts";
import type { TypeJudge } from "./type-judge.ts";

/** A judge that is not waited for longer than `ms` milliseconds: then it knows nothing. */
export function judgeWithin(judge: TypeJudge, clock: Clock, ms: number): TypeJudge {
  return {
    async judge(proposed, options = {}) {
      const patience = new AbortController();
      const giveUp = () => patience.abort(options.signal?.reason);
      if (options.signal?.aborted) giveUp();
      options.signal?.addEventListener("abort", giveUp, { once: true });
      const passing = sleep(clock, ms);
      const judging = judge.judge(proposed, { signal: patience.signal });
      // Whoever is left behind may fail unheard.
      judging.catch(() => undefined);
      try {
        return (await Promise.race([judging, passing])) ?? { kind: "unknown" };
      } finally {
        passing.stop();
        options.signal?.removeEventListener("abort", giveUp);
        patience.abort();
      }
    },
  };
}
