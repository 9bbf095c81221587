import type { AtomicChange, BlockId, ChangeLabel, CodeBlock, InverseRelation, Relation } from "../codebase/index.ts";
import { invariant } from "../text/index.ts";
import type { BlockRewrite } from "./block-rewrite.ts";

/** Names a step in its plan: `1`, `2`, in the order in which steps were found. */
export type StepId = number;

/**
 * How far a step is.
 *
 * - `pending`: nobody has looked at it yet.
 * - `done`: it was carried out; `rewrite` says how.
 * - `unchanged`: it was looked at, and nothing has to change there.
 * - `obligation`: it is left to a person, with the reason in `note`.
 * - `rejected`: a person did not want its rewrite, which was taken back.
 * - `dropped`: what caused it is gone.
 */
export type StepStatus = "pending" | "done" | "unchanged" | "obligation" | "rejected" | "dropped";

/** Why a step is there: another step's change that may affect it, along a relation, or what an oracle said. */
export type StepCause =
  | {
      readonly kind: "change";
      readonly from: StepId;
      /** Every class of change that reaches it. */
      readonly label: ChangeLabel;
      readonly relation: Relation | InverseRelation;
    }
  | { readonly kind: "finding"; readonly message: string; readonly code?: string }
  | { readonly kind: "instruction" };

/** One obligation: a block to look at, and change if need be. Plain data. */
export interface PlanStep {
  readonly id: StepId;
  readonly block: Pick<CodeBlock, "path" | "kind" | "name">;
  /** What is asked of a seed; of a derived step its causes say it. */
  readonly instruction?: string;
  readonly status: StepStatus;
  /** The first is why it was made. */
  readonly causes: readonly StepCause[];
  /** From 0 to 1: the chance that something has to change there, as the impact analysis saw it when the step was made. */
  readonly likelihood: number;
  /** The round of the oracle that it belongs to, from 1. */
  readonly round: number;
  readonly rewrite?: BlockRewrite;
  /** What its rewrite changed, class by class. */
  readonly changes?: readonly Pick<
    AtomicChange,
    "label" | "removedNames" | "addedNames" | "changedNames" | "escapes"
  >[];
  /** What a person should know: why it is an obligation, what was refused. */
  readonly note?: string;
}

/**
 * The steps of a plan, and which caused which. Immutable.
 *
 * Invariant: causes point to steps with smaller numbers, so the graph has no cycle; a block that is hit again after its step was settled gets
 * a new step. Source: the plan graph of CodePlan (Bairi et al. 2024, section 2.1 and Algorithm 1).
 */
export class PlanGraph {
  static readonly empty = new PlanGraph([]);

  /** By their ids, from 1. */
  readonly steps: readonly PlanStep[];

  private constructor(steps: readonly PlanStep[]) {
    this.steps = steps;
  }

  /** The step of this id. */
  step(id: StepId): PlanStep {
    const step = this.steps[id - 1];
    invariant(step !== undefined, `There is no step ${id} among ${this.steps.length}.`);
    return step;
  }

  /** With a new step at the end; its id is told by {@link nextId}. */
  withStep(step: PlanStep): PlanGraph {
    invariant(step.id === this.nextId, `The next step is ${this.nextId}, not ${step.id}.`);
    for (const cause of step.causes) {
      if (cause.kind === "change")
        invariant(cause.from < step.id, `Step ${step.id} cannot be caused by step ${cause.from}.`);
    }
    return new PlanGraph([...this.steps, step]);
  }

  /** With a step in place of what it was. */
  withChanged(id: StepId, change: Partial<Omit<PlanStep, "id" | "block" | "round">>): PlanGraph {
    const steps = [...this.steps];
    steps[id - 1] = { ...this.step(id), ...change };
    return new PlanGraph(steps);
  }

  get nextId(): StepId {
    return this.steps.length + 1;
  }

  /** The pending step about a block, if there is one: what affects the block again is another cause of it. */
  pendingFor(id: BlockId): PlanStep | undefined {
    return this.steps.find(({ status, block }) => status === "pending" && blockKey(block) === id);
  }

  /** How many steps about a block were settled already. */
  visitsTo(id: BlockId): number {
    return this.steps.filter(
      ({ status, block }) => status !== "pending" && status !== "dropped" && blockKey(block) === id,
    ).length;
  }

  /** The pending steps, the likeliest first, then in the order they were found. */
  get pending(): readonly PlanStep[] {
    return this.steps
      .filter(({ status }) => status === "pending")
      .sort((a, b) => b.likelihood - a.likelihood || a.id - b.id);
  }

  /** The steps that this one caused, directly or by others, in the order they were found. */
  consequencesOf(id: StepId): readonly PlanStep[] {
    const reached = new Set<StepId>([id]);
    const found: PlanStep[] = [];
    for (const step of this.steps) {
      if (step.id === id || !step.causes.some((cause) => cause.kind === "change" && reached.has(cause.from))) continue;
      reached.add(step.id);
      found.push(step);
    }
    return found;
  }

  /** The steps on the ways from the seeds to this one, in the order they were found, itself left out: its temporal context. */
  pathTo(id: StepId): readonly PlanStep[] {
    const wanted = new Set<StepId>([id]);
    for (const step of [...this.steps].reverse()) {
      if (!wanted.has(step.id)) continue;
      for (const cause of step.causes) if (cause.kind === "change") wanted.add(cause.from);
    }
    wanted.delete(id);
    return this.steps.filter((step) => wanted.has(step.id));
  }
}

function blockKey({ path, kind, name }: PlanStep["block"]): BlockId {
  return `${path}|${kind}:${name}`;
}
