import type { Clock } from "../codebase/index.ts";
import type { StoredPlanState } from "./plan-host.ts";

/** What a plan of another process is followed with. */
export interface FollowPlanOptions {
  readonly clock: Clock;
  /** Reads what is kept of it by now. */
  read(): Promise<StoredPlanState>;
  /** Is called where more of it is kept, and once when nobody works on it any more. */
  onNews(stored: StoredPlanState): void;
  /** Nothing more is told; with what went wrong, if anything did. */
  onEnd(failure?: unknown): void;
}

/** How often is looked, in milliseconds. */
const everyMs = 500;

/**
 * Tells how a plan comes on that another process carries out, from what that one keeps of it, until it stands still. `known` is what is known of it already.
 * Disposing of the answer ends it without a word.
 */
export function followPlan(known: StoredPlanState, { clock, read, onNews, onEnd }: FollowPlanOptions): Disposable {
  let timer: Disposable | undefined;
  let isOver = false;
  const rest = (last: StoredPlanState) => {
    timer = clock.after(everyMs, () => void look(last));
  };
  const look = async (last: StoredPlanState) => {
    try {
      const now = await read();
      if (isOver) return;
      // What a plan came to is written once it stands still, so that this is told a look later.
      if (now.isDriven || last.isDriven) {
        if (now.events.length > last.events.length) onNews({ ...now, isDriven: true });
        rest(now);
      } else {
        onNews(now);
        onEnd();
      }
    } catch (error) {
      if (!isOver) onEnd(error);
    }
  };
  rest(known);
  return {
    [Symbol.dispose]() {
      isOver = true;
      timer?.[Symbol.dispose]();
    },
  };
}
