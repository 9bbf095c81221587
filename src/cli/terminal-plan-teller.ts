import { type PlanEvent, type PlanMoney, type PlanState, printPlanEvent, printPlanProgress } from "../plan/index.ts";
import { openActivityLine } from "./activity-line.ts";
import type { PlanTeller } from "./plan-teller.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** What a person at a terminal sees while a plan is carried out: its events, and below them how far it is. */
export class TerminalPlanTeller implements PlanTeller {
  readonly #money: PlanMoney;
  readonly #terminal: Terminal;
  #line: ReturnType<typeof openActivityLine>;

  constructor(money: PlanMoney, terminal: Terminal) {
    this.#money = money;
    this.#terminal = terminal;
    this.#line = openActivityLine(terminal);
  }

  says(activity: string): void {
    this.#line.show(activity);
  }

  opens(): void {
    // The person was told of it when it happened.
  }

  happens(event: PlanEvent, state: PlanState): void {
    this.#print(printPlanEvent(event));
    this.#line.show(printPlanProgress(state, this.#money));
  }

  writesPage(path: string): void {
    this.#terminal.err(`The plan as a page: ${printable(path)}\n`);
  }

  closes(): void {
    this.#line.close();
  }

  #print(rows: string): void {
    this.#line.close();
    for (const row of rows.split("\n")) this.#terminal.err(`${styled(printable(row), "dim", this.#terminal.colour)}\n`);
    this.#line = openActivityLine(this.#terminal);
  }
}
