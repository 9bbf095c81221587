import { printCodeBlock } from "../../codebase/index.ts";
import type { RewriteAuthor } from "../block-rewrite.ts";
import { printFinding } from "../oracles/finding.ts";
import type { PlanEvent } from "../plan-event.ts";
import { causingStep, type PlanStep, type StepCause, type StepId } from "../plan-graph.ts";
import { type PlanMoney, printPlanProgress } from "../plan-progress.ts";
import type { PlanState } from "../plan-state.ts";
import { sayCauses } from "../say-causes.ts";

/**
 * How a step stands for whoever looks at a plan: its status, but that what the plan began with is `changed`, and what a model is being asked
 * about is `asked`.
 */
export type StepStanding = PlanStep["status"] | "changed" | "asked";

/** A step as it is shown. */
export interface StepView {
  readonly id: StepId;
  readonly standing: StepStanding;
  /** `function total in src/cart.ts` */
  readonly block: string;
  readonly name: string;
  readonly path: string;
  readonly round: number;
  /** From 0 to 1. */
  readonly likelihood: number;
  /** What is asked of it, and why it is there, a sentence each. */
  readonly reasons: readonly string[];
  readonly note?: string;
  /** Who wrote it: `rule rename`, a model's name, `a person`, `the change that it began with`. */
  readonly author?: string;
  readonly diff?: string;
  /** What others wanted to write there. */
  readonly wishes: readonly string[];
}

/** One step caused another, along a relation, such as `called-by`. */
export interface StepLink {
  readonly from: StepId;
  readonly to: StepId;
  readonly relation: string;
}

/** What an oracle said after a round; round 0 is before the plan. */
export interface VerdictView {
  readonly round: number;
  readonly oracle: string;
  readonly said: string;
  /** The first of what it found, a line each, and how many there are in all. */
  readonly findings: readonly string[];
  readonly count: number;
}

/** A plan as it is shown. Plain data. */
export interface PlanView {
  readonly plan: string;
  readonly instruction?: string;
  readonly base: string;
  /** Why it ended; absent while it runs. */
  readonly end?: string;
  /** How far it is, in a line. */
  readonly progress: string;
  readonly tokens: PlanState["tokens"];
  readonly steps: readonly StepView[];
  readonly links: readonly StepLink[];
  readonly verdicts: readonly VerdictView[];
}

/** So many findings of an oracle are shown after each round. */
const maxFindings = 30;

/** A plan for people to look at: its state, and from its events what the oracles said round by round. */
export function planViewOf(state: PlanState, events: readonly PlanEvent[], money: PlanMoney = {}): PlanView {
  const { plan, instruction, base, ended, tokens, graph } = state;
  return {
    ...{ plan, base, tokens, progress: printPlanProgress(state, money) },
    ...(instruction !== undefined && { instruction }),
    ...(ended !== undefined && { end: `${endings[ended.why]}${ended.note === undefined ? "" : ` ${ended.note}`}` }),
    steps: graph.steps.map((step) => stepView(step, state)),
    links: graph.steps.flatMap(linksTo),
    verdicts: events.flatMap(verdictViews),
  };
}

const endings: Readonly<Record<NonNullable<PlanState["ended"]>["why"], string>> = {
  content: "It is done, and nothing is left.",
  obligations: "What is left is for you.",
  rounds: "It stopped at the limit of rounds.",
  steps: "It stopped at the limit of steps.",
  tokens: "It stopped at the limit of tokens.",
  money: "It stopped at the limit of cost.",
  failed: "It failed.",
};

function stepView(step: PlanStep, { graph, begun }: PlanState): StepView {
  const { id, block, round, likelihood, instruction, note, rewrite, causes } = step;
  return {
    ...{ id, round, likelihood, standing: standingOf(step, begun.has(id)) },
    ...{ block: printCodeBlock(block), name: block.name, path: block.path },
    reasons: [...(instruction === undefined ? [] : [instruction]), ...sayCauses(step, graph)],
    ...(note !== undefined && { note }),
    ...(rewrite && { author: sayAuthor(rewrite.by), diff: rewrite.diff }),
    wishes: causes.flatMap((cause) => (cause.kind === "asked" ? [cause.diff] : [])),
  };
}

function standingOf({ status, rewrite }: PlanStep, isBegun: boolean): StepStanding {
  if (status === "pending" && isBegun) return "asked";
  return status === "done" && rewrite?.by.kind === "seed" ? "changed" : status;
}

function sayAuthor(by: RewriteAuthor): string {
  switch (by.kind) {
    case "seed":
      return "the change that it began with";
    case "mechanical":
      return `rule ${by.rule}`;
    case "model":
      return by.model;
    case "person":
      return "a person";
  }
}

/** A link for each step that caused this one, along all relations. */
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
  if (event.kind !== "oracle-answered") return [];
  const { round, oracle, said, findings } = event;
  const shown = findings.slice(0, maxFindings).map(({ finding }) => printFinding(finding));
  return [{ round, oracle, said, findings: shown, count: findings.length }];
}
