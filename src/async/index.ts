export { type AbortOptions, LinkedController, onAbort, raceAbort } from "./abort.ts";
export { BackgroundScheduler, type BackgroundSchedulerOptions } from "./background-scheduler.ts";
export type { Clock } from "./clock.ts";
export { type Sleep, sleep } from "./clock.ts";
export { EventQueue } from "./event-queue.ts";
export { SerialQueue } from "./serial-queue.ts";
export { SharedWork } from "./shared-work.ts";
export { runSteps, runStepsInTurns, type Steps } from "./steps.ts";
export { pause, resultWithin, runWithTimeout, type TimeLimit, withTimeout } from "./time-limit.ts";
