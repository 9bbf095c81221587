import { costOf, printAmount } from "./plan-limits.ts";
import type { PlanLimits } from "./plan-parts.ts";
import type { PlanState } from "./plan-state.ts";

/** The price of a plan's tokens and the cost limit, in one currency that the user chooses. */
export type PlanMoney = Pick<PlanLimits, "price" | "maxCost">;

/** The number of a plan's steps by state, without dropped ones. */
export interface StepCounts {
  /** Done, unchanged or rejected. */
  readonly done: number;
  /** Pending, including those with a model request in flight. */
  readonly pending: number;
  /** Left to a person. */
  readonly left: number;
}

/** Counts the steps of a plan. */
export function countSteps({ graph }: Pick<PlanState, "graph">): StepCounts {
  const counts = { done: 0, pending: 0, left: 0 };
  for (const { status } of graph.steps) {
    if (status === "pending") counts.pending += 1;
    else if (status === "obligation") counts.left += 1;
    else if (status !== "dropped") counts.done += 1;
  }
  return counts;
}

/**
 * The progress of a plan in one line:
 * `Round 1: 3 done, 2 to do, 1 left to you, 1,204 tokens, cost 0.0036 of 2`. Before the first round
 * it is `Before round 1`.
 */
export function printPlanProgress(state: PlanState, money: PlanMoney = {}): string {
  const { done, pending, left } = countSteps(state);
  const used = state.tokens.shown + state.tokens.written;
  const parts = [
    ...(state.round === 0 ? [] : [`${done.toLocaleString("en")} done`]),
    ...(pending === 0 ? [] : [`${pending.toLocaleString("en")} to do`]),
    ...(left === 0 ? [] : [`${left.toLocaleString("en")} left to you`]),
    ...(used === 0 ? [] : [used === 1 ? "1 token" : `${used.toLocaleString("en")} tokens`]),
    ...printCost(state, money),
  ];
  if (state.round === 0) return ["Before round 1", ...parts].join(", ");
  return `Round ${state.round}: ${parts.join(", ")}`;
}

/** The cost of a plan and its limit: `cost 0.0036 of 2`. Empty when there is no price. */
function printCost(state: PlanState, { price, maxCost = Number.POSITIVE_INFINITY }: PlanMoney): readonly string[] {
  if (price === undefined) return [];
  const most = Number.isFinite(maxCost) ? ` of ${maxCost}` : "";
  return [`cost ${printAmount(costOf(state, { price }))}${most}`];
}
