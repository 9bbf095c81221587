import { type PlanEvent, type PlanMoney, type PlanState, printPlanEvent, printPlanProgress } from "../../plan/index.ts";
import { openActivityLine } from "../terminal/activity-line.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import type { PlanReporter } from "./plan-reporter.ts";

/** Prints the events of a plan at the terminal, and below them its progress. */
export class TerminalPlanReporter implements PlanReporter {
  readonly #money: PlanMoney;
  readonly #terminal: Terminal;
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
    this.#print(printPlanEvent(event));
    this.#line.show(printPlanProgress(state, this.#money));
  }

  reportPage(path: string): void {
    this.#terminal.err(`The plan as a page: ${printable(path)}\n`);
  }

  close(): void {
    this.#line.close();
  }

  #print(rows: string): void {
    this.#line.close();
    for (const row of rows.split("\n")) this.#terminal.err(`${styled(printable(row), "dim", this.#terminal.colour)}\n`);
    this.#line = openActivityLine(this.#terminal);
  }
}
