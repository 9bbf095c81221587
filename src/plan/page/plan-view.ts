import { printCodeBlock } from "../../analysis/index.ts";
import type { RewriteAuthor } from "../block-rewrite.ts";
import { describeCauses, describeErrors, printLabel } from "../describe-causes.ts";
import type { PlanEvent } from "../plan-event.ts";
import { causingStep, type PlanStep, type StepCause, type StepId } from "../plan-graph.ts";
import type { PlanState } from "../plan-state.ts";
import { type PlanMoney, planEndWords, printPlanProgress } from "../print-plan.ts";
import { printFinding } from "../verification/finding.ts";

/**
 * The status of a step for people. It adds `changed` for the seeds' own changes, and `requested`
 * while a model request for the step is in flight.
 */
export type StepViewStatus = PlanStep["status"] | "changed" | "requested";

/** A step as the page shows it. */
export interface StepView {
  readonly id: StepId;
  readonly status: StepViewStatus;
  /** For example `function total in src/cart.ts`. */
  readonly block: string;
  readonly name: string;
  readonly path: string;
  readonly round: number;
  /** From 0 to 1. */
  readonly likelihood: number;
  /** The instruction and the causes of the step, a sentence each. */
  readonly reasons: readonly string[];
  readonly note?: string;
  /**
   * The author of its change: `rule rename`, a model's name, `a person`; absent for a change that
   * was made before the plan.
   */
  readonly author?: string;
  readonly diff?: string;
  /** The diffs that other steps, and rules, propose for its block. */
  readonly proposals: readonly string[];
}

/** A cause: one step caused another along a relation, such as `called-by`. */
export interface StepLink {
  readonly from: StepId;
  readonly to: StepId;
  readonly relation: string;
}

/** The result of a verification command after a round; round 0 is before the plan. */
export interface VerdictView {
  readonly round: number;
  readonly verifier: string;
  /** Whether the command found nothing, found something, or gave no result. */
  readonly verdict: Extract<PlanEvent, { kind: "verifier-finished" }>["verdict"];
  readonly summary: string;
  /** The first findings, a line each; `count` is the number of all. */
  readonly findings: readonly string[];
  readonly count: number;
}

/** A plan as the page shows it. Plain data. */
export interface PlanView {
  readonly plan: string;
  /** What the plan is about, in one line. */
  readonly title: string;
  readonly instruction?: string;
  readonly base: string;
  /** Why the plan ended; absent while it runs. */
  readonly end?: string;
  /** The progress in one line. */
  readonly progress: string;
  readonly tokens: PlanState["tokens"];
  readonly steps: readonly StepView[];
  readonly links: readonly StepLink[];
  readonly verdicts: readonly VerdictView[];
}

/** The most findings of a verification command that are shown for each round. */
const maxFindings = 30;

/** Options for {@link planViewOf}; a price adds the cost to the progress. */
export interface PlanViewOptions extends PlanMoney {
  /**
   * Whether nothing runs the plan: then no step waits for a model. A plan that has ended is stopped
   * in any case.
   */
  readonly isStopped?: boolean;
}

/**
 * The view of a plan: its state, and from its events the results of the verification commands for
 * each round.
 */
export function planViewOf(
  state: PlanState,
  events: readonly PlanEvent[],
  { isStopped = state.ended !== undefined, ...money }: PlanViewOptions = {},
): PlanView {
  const { plan, instruction, base, ended, tokens, graph } = state;
  return {
    ...{ plan, title: planTitleOf(state), base, tokens, progress: printPlanProgress(state, money) },
    ...(instruction !== undefined && { instruction }),
    ...(ended !== undefined && {
      end: `${planEndWords[ended.why]}${ended.note === undefined ? "" : ` ${ended.note}`}`,
    }),
    steps: graph.steps.map((step) => stepView(step, graph, { isRequested: !isStopped && state.begun.has(step.id) })),
    links: graph.steps.flatMap(linksTo),
    verdicts: events.flatMap(verdictViews),
  };
}

function stepView(
  step: PlanStep,
  graph: PlanState["graph"],
  { isRequested }: { readonly isRequested: boolean },
): StepView {
  const { id, block, round, likelihood, instruction, note, rewrite, causes, proposal } = step;
  return {
    ...{ id, round, likelihood, status: statusOf(step, isRequested) },
    ...{ block: printCodeBlock(block), name: block.name, path: block.path },
    reasons: [
      ...(instruction === undefined ? [] : [instruction]),
      ...describeCauses(step, graph),
      ...describeErrors(step),
    ],
    ...(note !== undefined && { note }),
    ...(rewrite && { diff: rewrite.diff, ...(rewrite.by.kind !== "seed" && { author: printAuthor(rewrite.by) }) }),
    proposals: [
      ...causes.flatMap((cause) => (cause.kind === "proposed" ? [cause.diff] : [])),
      ...(proposal === undefined ? [] : [proposal]),
    ],
  };
}

function statusOf({ status, rewrite }: PlanStep, isRequested: boolean): StepViewStatus {
  if (status === "pending" && isRequested) return "requested";
  return status === "done" && rewrite?.by.kind === "seed" ? "changed" : status;
}

function printAuthor(by: Exclude<RewriteAuthor, { kind: "seed" }>): string {
  switch (by.kind) {
    case "mechanical":
      return `rule ${by.rule}`;
    case "model":
      return by.model;
    case "person":
      return "a person";
  }
}

/** A link for each step that caused this one, with all relations between the two. */
function linksTo({ id, causes }: PlanStep): readonly StepLink[] {
  const relations = new Map<StepId, Set<string>>();
  for (const cause of causes) {
    const from = causingStep(cause);
    if (from === undefined) continue;
    relations.set(from, (relations.get(from) ?? new Set()).add(relationOf(cause)));
  }
  return [...relations].map(([from, names]) => ({ from, to: id, relation: [...names].join(", ") }));
}

function relationOf(cause: StepCause): string {
  return cause.kind === "change" ? cause.relation : cause.kind;
}

function verdictViews(event: PlanEvent): readonly VerdictView[] {
  if (event.kind !== "verifier-finished") return [];
  const { round, verifier, verdict, summary, findings } = event;
  const shown = findings.slice(0, maxFindings).map(({ finding }) => printFinding(finding));
  return [{ round, verifier, verdict, summary, findings: shown, count: findings.length }];
}

/**
 * The title of a plan, in one line: its instruction, or what was changed at its beginning, such as
 * `Price.total → Price.sum`.
 */
export function planTitleOf({
  instruction,
  seeds,
  graph,
}: Pick<PlanState, "instruction" | "seeds"> & { readonly graph: Pick<PlanState["graph"], "steps"> }): string {
  if (instruction !== undefined) return instruction.trim().split("\n", 1)[0]!;
  const changed = graph.steps.filter(({ rewrite }) => rewrite?.by.kind === "seed");
  // The change that most of the plan is about.
  const weightOf = (step: PlanStep) => 2 * effectsOf(step, graph.steps) + (isRename(step) ? 1 : 0);
  const first = changed.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
  if (first !== undefined) return `${printChange(first)}${changed.length > 1 ? `, ${changed.length - 1} more` : ""}`;
  const [findings] = seeds.filter((seed) => seed.kind === "findings");
  if (findings === undefined) return "Consequences of a change";
  return `Errors of ${findings.given?.source ?? "the verification commands"}`;
}

function effectsOf({ id }: PlanStep, steps: readonly PlanStep[]): number {
  return steps.filter(({ causes }) => causes.some((cause) => causingStep(cause) === id)).length;
}

function isRename({ changes }: PlanStep): boolean {
  return changes?.some(({ label }) => label === "RENAME") === true;
}

function printChange({ block, changes = [] }: PlanStep): string {
  const { label, before, after } = changes.find((change) => change.label === "RENAME") ?? changes[0] ?? {};
  if (label === "RENAME" && before !== undefined && after !== undefined) return `${before.name} → ${after.name}`;
  return `${block.name} ${label === undefined ? "changed" : printLabel(label)}`;
}
