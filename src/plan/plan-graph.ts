import {
  type AtomicChange,
  type BlockId,
  blockId,
  type ChangeLabel,
  type CodeBlock,
  type InverseRelation,
  type Relation,
} from "../codebase/index.ts";
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

/** Why a step is there. */
export type StepCause =
  /** Another step's change may affect it, along a relation. */
  | {
      readonly kind: "change";
      readonly from: StepId;
      readonly label: ChangeLabel;
      readonly relation: Relation | InverseRelation;
      /** How many relations lie between; 1 where it is related to the changed block itself. */
      readonly hops: number;
    }
  /** A type checker refuses it once the other step's change is made. */
  | { readonly kind: "broken"; readonly from: StepId; readonly codes: readonly string[] }
  /** Whoever carried the other step out wanted to write here, too. */
  | { readonly kind: "asked"; readonly from: StepId; readonly diff: string }
  | { readonly kind: "finding"; readonly message: string; readonly code?: string }
  | { readonly kind: "instruction" };

/** The step whose change is the cause, if one is. */
export function causingStep(cause: StepCause): StepId | undefined {
  return "from" in cause ? cause.from : undefined;
}

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
  /** What its rewrite changed, class by class: what rules read the facts out of. */
  readonly changes?: readonly AtomicChange[];
  /** What a person should know: why it is an obligation, what was refused. */
  readonly note?: string;
}

/**
 * The steps of a plan, and which caused which. Immutable.
 *
 * Invariant: the graph has no cycle, for only a pending step gets further causes, and none is caused by a pending one; a block that is hit
 * again after its step was settled gets a new step. Source: the plan graph of CodePlan (Bairi et al. 2024, section 2.1 and Algorithm 1).
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
    for (const cause of step.causes) this.#checkCause(step.id, cause);
    return new PlanGraph([...this.steps, step]);
  }

  /** With a step in place of what it was. */
  withChanged(id: StepId, change: Partial<Omit<PlanStep, "id" | "round">>): PlanGraph {
    const steps = [...this.steps];
    steps[id - 1] = { ...this.step(id), ...change };
    return new PlanGraph(steps);
  }

  /** With another cause of a step that is pending. */
  withCause(id: StepId, cause: StepCause): PlanGraph {
    const { causes, status } = this.step(id);
    invariant(status === "pending", `Step ${id} is ${status}: what affects it now is a new step.`);
    this.#checkCause(id, cause);
    return this.withChanged(id, { causes: [...causes, cause] });
  }

  /** With a step that nobody has looked at: nothing is left of what was made of it. */
  withPending(id: StepId): PlanGraph {
    const { rewrite: _, changes: __, note: ___, ...step } = this.step(id);
    const steps = [...this.steps];
    steps[id - 1] = { ...step, status: "pending" };
    return new PlanGraph(steps);
  }

  get nextId(): StepId {
    return this.steps.length + 1;
  }

  /**
   * The pending step about a block, if there is one, those of `begun` left out: what affects the block again is another cause of it.
   */
  pendingFor(id: BlockId, begun: ReadonlySet<StepId>): PlanStep | undefined {
    return this.steps.find((step) => step.status === "pending" && !begun.has(step.id) && blockId(step.block) === id);
  }

  /** How often a block was looked at and carried out or left, the seeds left out. */
  visitsTo(id: BlockId): number {
    return this.steps.filter((step) => wasLookedAt(step) && blockId(step.block) === id).length;
  }

  /** How many steps were carried out or found to need nothing, the seeds' own edits left out. */
  get lookedAt(): number {
    return this.steps.filter(wasLookedAt).length;
  }

  /** Whether a block is left to a person. */
  isObligation(id: BlockId): boolean {
    return this.steps.some(({ status, block }) => status === "obligation" && blockId(block) === id);
  }

  /** The pending steps, the likeliest first, then in the order they were found. */
  get pending(): readonly PlanStep[] {
    return this.steps
      .filter(({ status }) => status === "pending")
      .sort((a, b) => b.likelihood - a.likelihood || a.id - b.id);
  }

  /** The steps that this one caused, directly or by others, in the order they were found. */
  consequencesOf(id: StepId): readonly PlanStep[] {
    const children = new Map<StepId, StepId[]>();
    for (const step of this.steps) {
      for (const from of causingSteps(step)) children.set(from, [...(children.get(from) ?? []), step.id]);
    }
    const reached = new Set<StepId>([id]);
    for (const one of reached) for (const child of children.get(one) ?? []) reached.add(child);
    reached.delete(id);
    return this.steps.filter((step) => reached.has(step.id));
  }

  /** The steps on the ways from the seeds to this one, each behind those that caused it, itself left out: its temporal context. */
  pathTo(id: StepId): readonly PlanStep[] {
    const path: PlanStep[] = [];
    const seen = new Set<StepId>();
    const visit = (one: StepId) => {
      if (seen.has(one)) return;
      seen.add(one);
      for (const from of causingSteps(this.step(one))) visit(from);
      if (one !== id) path.push(this.step(one));
    };
    visit(id);
    return path;
  }

  #checkCause(id: StepId, cause: StepCause): void {
    const from = causingStep(cause);
    const isKnown = from === undefined || (from >= 1 && from <= this.steps.length && from !== id);
    invariant(isKnown, () => `Step ${id} cannot be caused by step ${from}.`);
    invariant(
      from === undefined || this.step(from).status !== "pending",
      () => `Step ${from} is pending: it causes nothing yet.`,
    );
  }
}

/** The steps whose changes are causes of this one. */
function causingSteps({ causes }: PlanStep): readonly StepId[] {
  return causes.flatMap((cause) => causingStep(cause) ?? []);
}

function wasLookedAt({ status, rewrite }: PlanStep): boolean {
  return (status === "done" || status === "unchanged") && rewrite?.by.kind !== "seed";
}
