import type { Clock } from "../../codebase/index.ts";
import type { StoredPlanState } from "./plan-host.ts";

/** How a plan of another process is followed. */
export interface FollowPlanOptions {
  readonly clock: Clock;
  /** Reads the stored state of the plan. */
  read(): Promise<StoredPlanState>;
  /** Called when more of the plan is stored, and once when no process runs it any more. */
  onChange(stored: StoredPlanState): void;
  /** Called at the end, with the error if reading failed. */
  onEnd(failure?: unknown): void;
}

/** Milliseconds between two reads. */
const everyMs = 500;

/**
 * Follows a plan that another process runs, by reading its stored state until it stops. `known` is
 * the state that the caller has already. Disposing of the result ends it without `onEnd`.
 */
export function followPlan(known: StoredPlanState, { clock, read, onChange, onEnd }: FollowPlanOptions): Disposable {
  let timer: Disposable | undefined;
  let isDisposed = false;
  const schedule = (last: StoredPlanState) => {
    timer = clock.after(everyMs, () => void poll(last));
  };
  const poll = async (last: StoredPlanState) => {
    try {
      const now = await read();
      if (isDisposed) return;
      // The result of a plan is written after it stops, so it is reported only after another read.
      if (now.isDriven || last.isDriven) {
        if (now.events.length > last.events.length) onChange({ ...now, isDriven: true });
        schedule(now);
      } else {
        onChange(now);
        onEnd();
      }
    } catch (error) {
      if (!isDisposed) onEnd(error);
    }
  };
  schedule(known);
  return {
    [Symbol.dispose]() {
      isDisposed = true;
      timer?.[Symbol.dispose]();
    },
  };
}
