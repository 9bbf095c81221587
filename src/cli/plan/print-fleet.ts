import { countSteps, type PlanState } from "../../plan/index.ts";

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
