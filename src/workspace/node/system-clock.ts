import { performance } from "node:perf_hooks";
import type { Clock } from "../../async/index.ts";

/** The real {@link Clock} for background work: its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** The real {@link Clock} for work that a caller waits for: its timers keep the process alive. */
export const waitingClock: Clock = {
  now: () => performance.now(),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};
