import { performance } from "node:perf_hooks";
import type { Clock } from "../clock.ts";

/** The machine's own clock. What waits on it does not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
