import { setImmediate } from "node:timers/promises";
import type { SliceOptions } from "../reading/work-slices.ts";

/** Slices of a thread of Node, between which its timers, signals and I/O run. */
export const threadSlices: Pick<SliceOptions, "yieldThread" | "now"> = {
  yieldThread: () => setImmediate(),
  now: () => performance.now(),
};
