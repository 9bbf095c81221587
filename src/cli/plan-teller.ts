import type { PlanEvent, PlanState } from "../plan/index.ts";
import type { Terminal } from "./terminal.ts";

/** What a plan is carried out with of the process around it, and what ends it. A terminal has it. */
export type PlanOutside = Pick<Terminal, "environment" | "workingFolder" | "signal">;

/** Who hears how a plan comes on. Nothing that it does changes the plan. */
export interface PlanTeller {
  /** What is being done where no event tells it, in a few words. */
  says(activity: string): void;
  /** The plan is open: what happened in it before. */
  opens(events: readonly PlanEvent[]): void;
  /** An event, once it is kept, and the state after it. */
  happens(event: PlanEvent, state: PlanState): void;
  /** Its page is being written at this absolute path. */
  writesPage(path: string): void;
  /** Nothing more is told. */
  closes(): void;
}

/** Tells nobody. */
export const silentTeller: PlanTeller = {
  says: () => undefined,
  opens: () => undefined,
  happens: () => undefined,
  writesPage: () => undefined,
  closes: () => undefined,
};
