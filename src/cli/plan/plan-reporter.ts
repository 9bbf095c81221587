import {
  type PlanEvent,
  type PlanMoney,
  type PlanState,
  printPlanEvent,
  printPlanProgress,
  type StepId,
} from "../../plan/index.ts";
import { openActivityLine } from "../terminal/progress.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";

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

/**
 * An event without what is printed at the end of the plan: why a step is left to do, and why a
 * verification command failed.
 */
function withoutReason(event: PlanEvent): PlanEvent {
  if (event.kind === "verifier-finished" && event.verdict === "failed") return { ...event, summary: "failed" };
  const isLeft = event.kind === "step-settled" && event.status === "obligation";
  if (!isLeft && !(event.kind === "plan-ended" && event.why === "failed")) return event;
  const { note: _, ...rest } = event;
  return rest;
}

/** Prints the events of a plan at the terminal, and below them its progress. */
export class TerminalPlanReporter implements PlanReporter {
  readonly #money: PlanMoney;
  readonly #terminal: Terminal;
  /**
   * The steps that were reported as left to do: the errors in their blocks may be updated later.
   */
  readonly #left = new Set<StepId>();
  #line: ReturnType<typeof openActivityLine>;

  constructor(money: PlanMoney, terminal: Terminal) {
    this.#money = money;
    this.#terminal = terminal;
    this.#line = openActivityLine(terminal);
  }

  reportActivity(activity: string): void {
    this.#line.show(activity);
  }

  reportOpened(): void {
    // The earlier events were printed when they occurred.
  }

  reportEvent(event: PlanEvent, state: PlanState): void {
    const isLeft = event.kind === "step-settled" && event.status === "obligation";
    if (!isLeft || !this.#left.has(event.id)) this.#print(printPlanEvent(withoutReason(event)));
    if (isLeft) this.#left.add(event.id);
    this.#line.show(printPlanProgress(state, this.#money));
  }

  reportPage(path: string): void {
    this.#terminal.err(`The plan as a page: ${printable(path)}\n`);
  }

  close(): void {
    this.#line[Symbol.dispose]();
  }

  #print(rows: string): void {
    this.#line[Symbol.dispose]();
    for (const row of rows.split("\n")) this.#terminal.err(`${styled(printable(row), "dim", this.#terminal.colour)}\n`);
    this.#line = openActivityLine(this.#terminal);
  }
}
