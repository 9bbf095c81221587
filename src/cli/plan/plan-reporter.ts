import type { PlanEvent, PlanState } from "../../plan/index.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The parts of a terminal that a plan runs with: its environment, working folder and signal. */
export type PlanOutside = Pick<Terminal, "environment" | "workingFolder" | "signal">;

/** Prints the progress of a plan. It cannot influence the plan. */
export interface PlanReporter {
  /** Reports the current activity between events, in a few words. */
  reportActivity(activity: string): void;
  /** Reports the earlier events of a plan when it is opened. */
  reportOpened(events: readonly PlanEvent[]): void;
  /** Reports an event after it is stored, and the state after it. */
  reportEvent(event: PlanEvent, state: PlanState): void;
  /** Reports the absolute path of the page that is being written. */
  reportPage(path: string): void;
  /** Ends the reports. */
  close(): void;
}

/** A reporter that does nothing. */
export const silentReporter: PlanReporter = {
  reportActivity: () => undefined,
  reportOpened: () => undefined,
  reportEvent: () => undefined,
  reportPage: () => undefined,
  close: () => undefined,
};
