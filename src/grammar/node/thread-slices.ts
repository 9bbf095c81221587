import { setImmediate } from "node:timers/promises";
import type { SliceOptions } from "../reading/work-slices.ts";

/** Slices on Node's main thread, with timers, signals and I/O between them. */
export const threadSlices: Pick<SliceOptions, "yieldThread" | "now"> = {
  yieldThread: () => setImmediate(),
  now: () => performance.now(),
};
