import { printCodeBlock } from "../analysis/index.ts";
import { printWorkspaceEdit } from "../text/index.ts";
import type { Consequences, PlanEvent } from "./plan-event.ts";
import type { PlanStep, StepCause } from "./plan-graph.ts";
import { costOf, printAmount } from "./plan-limits.ts";
import type { PlanLimits } from "./plan-parts.ts";
import type { PlanState } from "./plan-state.ts";
import { printFinding } from "./verification/finding.ts";

/** An event in one line, with its consequences in further indented lines, for logs and tests. */
export function printPlanEvent(event: PlanEvent): string {
  return linesOf(event).map(inOneRow).join("\n");
}

function linesOf(event: PlanEvent): readonly string[] {
  switch (event.kind) {
    case "plan-started":
      return [`start ${event.plan} on ${event.base}${event.instruction === undefined ? "" : `: ${event.instruction}`}`];
    case "plan-resumed":
      return ["resume"];
    case "round-started":
      return [`round ${event.round}`, ...consequenceLines(event)];
    case "steps-begun":
      return [
        `send ${event.tasks.length === 1 ? "step" : "steps"} ${event.tasks.map(({ id }) => id).join(", ")} to the model`,
      ];
    case "model-answered":
      return [`answer to step ${event.id}: ${event.end}`];
    case "step-reopened":
      return [`step ${event.id} is pending again: ${event.why}`];
    case "step-settled": {
      const { id, status, rewrite, changes = [], note } = event;
      const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)} (${printWorkspaceEdit(rewrite.edit)})`;
      const labels = changes.length === 0 ? "" : ` ${changes.map(({ label }) => label).join(" ")}`;
      return [
        `step ${id} ${statusWords[status]}${by}${labels}${note === undefined ? "" : `: ${note}`}`,
        ...consequenceLines(event),
      ];
    }
    case "step-rejected": {
      const { id, reverted, dropped, replanned, reason } = event;
      const parts = [
        `step ${id} rejected${reason === undefined ? "" : `: ${reason}`}`,
        `  reverted: ${reverted.join(", ")}`,
        ...(dropped.length === 0 ? [] : [`  dropped: ${dropped.join(", ")}`]),
        ...(replanned.length === 0 ? [] : [`  pending again: ${replanned.join(", ")}`]),
      ];
      return parts;
    }
    case "verifier-finished": {
      const { round, verifier, summary, findings } = event;
      const places = findings.map(
        ({ finding, block }) => `  ${printFinding(finding)}${block === undefined ? "" : ` in ${block}`}`,
      );
      return [`${verifier} ${round === 0 ? "before the plan" : `after round ${round}`}: ${summary}`, ...places];
    }
    case "plan-ended":
      return [`end: ${event.why === "done" ? "done" : event.why}${event.note === undefined ? "" : `: ${event.note}`}`];
  }
}

const statusWords: Readonly<Record<PlanStep["status"], string>> = {
  pending: "pending",
  done: "done",
  unchanged: "needs no change",
  obligation: "left to you",
  rejected: "rejected",
  dropped: "dropped",
};

function consequenceLines({ found, causes, moved }: Consequences): readonly string[] {
  return [
    ...found.map(
      ({ id, status, block, causes: why, note }) =>
        `  + ${id} ${statusWords[status]}: ${printCodeBlock(block)} <- ${why.map(printCause).join(", ")}${note === undefined ? "" : `: ${note}`}`,
    ),
    ...causes.map(({ id, cause }) => `  ${id} <- ${printCause(cause)}`),
    ...moved.map(({ id, block }) => `  ${id} is now ${printCodeBlock(block)}`),
  ];
}

function printCause(cause: StepCause): string {
  switch (cause.kind) {
    case "change":
      return `${cause.from} ${cause.label} ${cause.relation}${cause.hops > 1 ? ` (${cause.hops} hops)` : ""}`;
    case "broken":
      return `errors after ${cause.from}${cause.codes.length === 0 ? "" : ` (${cause.codes.join(", ")})`}`;
    case "proposed":
      return `proposed by ${cause.from}`;
    case "finding":
      return `finding${cause.code === undefined ? "" : ` ${cause.code}`}`;
    case "instruction":
      return "instruction";
  }
}

function printAuthor(by: NonNullable<PlanStep["rewrite"]>["by"]): string {
  if (by.kind === "mechanical") return `rule ${by.rule}`;
  return by.kind === "model" ? by.model : by.kind;
}

/** A text on one line: line breaks, as in a file's name, become the symbols ␍ and ␊. */
export function inOneRow(text: string): string {
  return text.replaceAll("\r", "␍").replaceAll("\n", "␊");
}

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

/** Counts the steps of a plan by state; dropped ones do not count. */
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
