import { printCodeBlock } from "../analysis/index.ts";
import { oneLine, printWorkspaceEdit } from "../text/index.ts";
import type { Consequences, PlanEnd, PlanEvent } from "./plan-event.ts";
import { causingStep, type PlanStep, type StepCause } from "./plan-graph.ts";
import { costOf, printAmount } from "./plan-limits.ts";
import type { PlanLimits } from "./plan-parts.ts";
import type { PlanState } from "./plan-state.ts";
import { printFinding } from "./verification/finding.ts";

/** An event in one line for people, with its consequences in further indented lines. */
export function printPlanEvent(event: PlanEvent): string {
  return linesOf(event).map(inOneRow).join("\n");
}

function linesOf(event: PlanEvent): readonly string[] {
  switch (event.kind) {
    case "plan-started":
      return [
        `Plan ${event.plan}, from ${event.base === noBase ? "a workspace without commits" : `commit ${event.base}`}${event.instruction === undefined ? "" : `: ${event.instruction}`}`,
      ];
    case "plan-resumed":
      return ["The plan continues."];
    case "round-started":
      return [`Round ${event.round}:`, ...consequenceLines(event)];
    case "steps-begun":
      return [
        `Sent to the model: ${event.tasks.length === 1 ? "step" : "steps"} ${event.tasks.map(({ id }) => id).join(", ")}`,
      ];
    case "model-answered":
      return [`Answer of the model for step ${event.id}: ${answerWords[event.end]}`];
    case "step-reopened":
      return [`Step ${event.id} is to do again: ${event.why}`];
    case "step-settled": {
      const { id, status, rewrite, note } = event;
      const by = rewrite === undefined ? "" : ` by ${printAuthor(rewrite.by)}: ${printWorkspaceEdit(rewrite.edit)}`;
      return [
        `Step ${id} is ${stepStatusWords[status]}${by}${note === undefined ? "" : `: ${note}`}`,
        ...consequenceLines(event),
      ];
    }
    case "step-rejected": {
      const { id, reverted, dropped, replanned, reason } = event;
      const parts = [
        `Step ${id} is rejected${reason === undefined ? "" : `: ${reason}`}`,
        `  taken back: steps ${reverted.join(", ")}`,
        ...(dropped.length === 0 ? [] : [`  no longer needed: steps ${dropped.join(", ")}`]),
        ...(replanned.length === 0 ? [] : [`  to do again: steps ${replanned.join(", ")}`]),
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
      return [`${planEndWords[event.why]}${event.note === undefined ? "" : ` ${event.note}`}`];
  }
}

/** The base of a plan in a workspace without git, or without commits. */
const noBase = "none";

const answerWords: Readonly<Record<Extract<PlanEvent, { kind: "model-answered" }>["end"], string>> = {
  finished: "complete",
  length: "cut off at the limit of its length",
  silent: "none in time",
  "content-filter": "stopped by the provider's filter",
  stopped: "as far as it was needed",
};

/** The words for the status of a step, as in "a step that is left to you". */
export const stepStatusWords: Readonly<Record<PlanStep["status"], string>> = {
  pending: "to do",
  done: "done",
  unchanged: "unchanged",
  obligation: "left to you",
  rejected: "rejected",
  dropped: "no longer needed",
};

/** How a plan ended, as a sentence. */
export const planEndWords: Readonly<Record<PlanEnd, string>> = {
  done: "The plan is done. Nothing is left to do.",
  obligations: "The open steps are left to you.",
  rounds: "The plan stopped at the limit of rounds.",
  steps: "The plan stopped at the limit of steps.",
  tokens: "The plan stopped at the limit of tokens.",
  money: "The plan stopped at the limit of cost.",
  failed: "The plan failed.",
};

/** How a plan ended, in a word or two for a table; `undefined` where it has not. */
export function printPlanEnd(end: PlanEnd | undefined): string {
  if (end === undefined) return "not ended";
  if (end === "done" || end === "failed") return end;
  return end === "obligations" ? "steps left" : `limit of ${end === "money" ? "cost" : end}`;
}

function consequenceLines({ found, causes, moved }: Consequences): readonly string[] {
  return [
    ...found.map(
      ({ id, status, block, causes: why, note }) =>
        `  step ${id}, ${why.every(({ kind }) => kind === "instruction") && status === "done" ? "your change" : stepStatusWords[status]}: ${printCodeBlock(block)}${printWhy(why)}${note === undefined ? "" : `: ${note}`}`,
    ),
    ...causes.map(({ id, cause }) => `  step ${id} also${printWhy([cause])}`),
    ...moved.map(({ id, block }) => `  step ${id} is now ${printCodeBlock(block)}`),
  ];
}

/** Why a step exists: ` because of step 2`; empty for an instruction. */
function printWhy(causes: readonly StepCause[]): string {
  const from = [...new Set(causes.flatMap((cause) => causingStep(cause) ?? []))];
  const findings = causes.flatMap((cause) => (cause.kind === "finding" ? oneLine(cause.message) : []));
  const steps = from.length === 0 ? [] : [`${from.length === 1 ? "step" : "steps"} ${from.join(", ")}`];
  const all = [...steps, ...findings];
  return all.length === 0 ? "" : ` because of ${all.join("; ")}`;
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
