import { costOf, countSteps, foldPlan, limitsOf, type PlanState, printPlanEnd } from "../../plan/index.ts";
import { FolderPlanStore, type PlanSetup } from "../../plan/node/index.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { jsonLine } from "../terminal/masked-terminal.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import type { FleetRepository } from "./fleet-repositories.ts";
import { type PlanJob, type PlanJobAnswer, tokensOf } from "./plan-job.ts";
import { plansFolderOf } from "./plan-run.ts";
import { type PlanReviewOptions, reviewPlan } from "./review-plan.ts";

/** A plan of the fleet. */
export interface FleetPlan extends FleetRepository {
  readonly job: PlanJob;
}

/** The results of plans, by their names. */
export type FleetAnswers = ReadonlyMap<string, PlanJobAnswer>;

/**
 * Shows the result of each plan of a fleet, asks, and writes it, one repository after the other;
 * then prints a table of all. Returns the worst exit code. Throws as {@link reviewPlan} does.
 */
export async function reviewFleet(
  plans: readonly FleetPlan[],
  answers: FleetAnswers,
  options: PlanReviewOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const rows: FleetRow[] = [];
  const reports: object[] = [];
  const codes: ExitCode[] = [];
  for (const { name, repository, job } of plans) {
    const { root } = repository;
    const answer = answers.get(job.id)!;
    const stored = await new FolderPlanStore(plansFolderOf(root, terminal)).tryRead(job.id);
    if (answer.kind === "refused" || stored === undefined) {
      const { code, message, exitCode } =
        answer.kind === "refused"
          ? answer
          : { code: "plan-missing", message: "Its journal is gone.", exitCode: exitCodes.failed };
      rows.push({ name, end: `${exitCode === exitCodes.done ? "not started" : "failed"}: ${message}` });
      reports.push({ name, root, plan: job.id, error: { code, message, exitCode } });
      codes.push(exitCode);
      continue;
    }
    const { setup, events } = stored;
    const state = foldPlan(events);
    const { changes, open, notes, read } = answer;
    if (!options.json)
      terminal.err(`\n${styled(printable(`${name} (${root}): ${endOf(state)}`), "bold", terminal.colour)}\n`);
    const printed: string[] = [];
    const own = options.json ? { ...terminal, out: (text: string) => void printed.push(text) } : terminal;
    const driven = { state, changes, open, notes, read };
    const exitCode = await reviewPlan({ root, setup, notes: [], driven }, { ...options, workspace: root }, own);
    codes.push(exitCode);
    rows.push(rowOf(name, state, setup));
    if (options.json) reports.push({ name, exitCode, ...(JSON.parse(printed.join("")) as object) });
  }
  if (options.json) terminal.out(jsonLine({ kind: "fleet", plans: reports }, terminal));
  else terminal.err(`\n${printable(printFleetTable(rows))}`);
  return worstOf(codes);
}

function rowOf(name: string, state: PlanState, setup: PlanSetup): FleetRow {
  const { price } = setup.limits;
  const cost = price === undefined ? {} : { cost: costOf(state, limitsOf(setup.limits)) };
  return { name, end: endOf(state), state, ...cost, tokens: tokensOf(state) };
}

function endOf({ ended }: PlanState): string {
  return printPlanEnd(ended?.why);
}

/**
 * The most severe exit code: failures before changes that were not written, before steps left to a
 * person.
 */
function worstOf(codes: readonly ExitCode[]): ExitCode {
  const rank = (code: ExitCode) => {
    const ordinary: readonly ExitCode[] = [exitCodes.done, exitCodes.obligations, exitCodes.notWritten];
    return ordinary.includes(code) ? ordinary.indexOf(code) : ordinary.length;
  };
  return codes.reduce((worst, code) => (rank(code) > rank(worst) ? code : worst), exitCodes.done);
}

/** A repository of a fleet, and the result of its plan. */
export interface FleetRow {
  readonly name: string;
  /** How the plan ended, or why it could not run. */
  readonly end: string;
  /** Absent where it could not run. */
  readonly state?: Pick<PlanState, "graph">;
  readonly tokens?: number;
  /** In the currency of the price; absent where none is known. */
  readonly cost?: number;
}

/**
 * A table of the repositories, with sums below. It has a column for the cost where one is known.
 * Each row has a line break.
 */
export function printFleetTable(rows: readonly FleetRow[]): string {
  const hasCost = rows.some(({ cost }) => cost !== undefined);
  const numbers = ({ steps, left, tokens, cost }: Amounts) => [
    ...[steps, left, tokens].map((count) => count.toLocaleString("en")),
    ...(hasCost ? [cost.toFixed(4)] : []),
  ];
  const amounts = rows.map(amountsOf);
  const table = [
    ["repository", "end", "steps", "left to you", "tokens", ...(hasCost ? ["cost"] : [])],
    ...rows.map(({ name, end, state }, row) => [name, end, ...(state === undefined ? [] : numbers(amounts[row]!))]),
    ...(rows.length > 1 ? [["all", "", ...numbers(amounts.reduce(sumOf, noAmounts))]] : []),
  ];
  const widths = table[0]!.map((_, column) => {
    // The reason of a failure may be long, and does not widen the column.
    const cells = table.filter((row) => column === 0 || row.length > 2).map((row) => row[column]!);
    return Math.max(...cells.map(({ length }) => length));
  });
  const pad = (cell: string, column: number) =>
    column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return table.map((row) => `${row.map(pad).join("  ").trimEnd()}\n`).join("");
}

interface Amounts {
  readonly steps: number;
  /** Left to a person, or not looked at. */
  readonly left: number;
  readonly tokens: number;
  readonly cost: number;
}

const noAmounts: Amounts = { steps: 0, left: 0, tokens: 0, cost: 0 };

function amountsOf({ state, tokens = 0, cost = 0 }: FleetRow): Amounts {
  if (state === undefined) return noAmounts;
  const { done, left, pending } = countSteps(state);
  return { steps: done + left + pending, left: left + pending, tokens, cost };
}

function sumOf(one: Amounts, other: Amounts): Amounts {
  return {
    ...{ steps: one.steps + other.steps, left: one.left + other.left },
    ...{ tokens: one.tokens + other.tokens, cost: one.cost + other.cost },
  };
}
