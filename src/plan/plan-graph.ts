import {
  type AtomicChange,
  type BlockId,
  blockId,
  type ChangeLabel,
  type CheckerMessage,
  type CodeBlock,
  type InverseRelation,
  noModule,
  type Relation,
} from "../analysis/index.ts";
import { invariant } from "../text/index.ts";
import type { BlockRewrite } from "./block-rewrite.ts";

/** The number of a step in its plan, from 1 in the order in which steps were found. */
export type StepId = number;

/**
 * The status of a step.
 *
 * - `pending`: not carried out yet.
 * - `done`: carried out, see `rewrite`.
 * - `unchanged`: nothing has to change there.
 * - `obligation`: left to a person; `note` gives the reason.
 * - `rejected`: a person rejected its rewrite, which was reverted.
 * - `dropped`: its causes are gone.
 */
export type StepStatus = "pending" | "done" | "unchanged" | "obligation" | "rejected" | "dropped";

/** Why a step exists. */
export type StepCause =
  /** Another step's change may affect it, along a relation. */
  | {
      readonly kind: "change";
      readonly from: StepId;
      readonly label: ChangeLabel;
      readonly relation: Relation | InverseRelation;
      /** The number of relations between the two; 1 for a direct one. */
      readonly hops: number;
    }
  /** A type checker reports errors in it after the other step's change. */
  | {
      readonly kind: "broken";
      readonly from: StepId;
      readonly codes: readonly string[];
      /** The errors with their messages, as far as they are known. */
      readonly errors?: readonly CheckerMessage[];
    }
  /** The model that carried out the other step proposed a change here, too. */
  | { readonly kind: "proposed"; readonly from: StepId; readonly diff: string }
  | { readonly kind: "finding"; readonly message: string; readonly code?: string }
  | { readonly kind: "instruction" };

/** The step whose change is the cause; `undefined` for other causes. */
export function causingStep(cause: StepCause): StepId | undefined {
  return "from" in cause ? cause.from : undefined;
}

/** A step: a block that may have to change. Plain data. */
export interface PlanStep {
  readonly id: StepId;
  readonly block: Pick<CodeBlock, "path" | "kind" | "name">;
  /** The instruction of a seed; a derived step has its causes instead. */
  readonly instruction?: string;
  readonly status: StepStatus;
  /** The first is the reason why it was made. */
  readonly causes: readonly StepCause[];
  /**
   * From 0 to 1: the estimated probability that something has to change there, from the impact
   * analysis that made the step.
   */
  readonly likelihood: number;
  /** The round that it belongs to, from 1. */
  readonly round: number;
  readonly rewrite?: BlockRewrite;
  /** The changes of its rewrite by class, from which rules derive their facts. */
  readonly changes?: readonly AtomicChange[];
  /** A note for people: why it is an obligation, what was refused. */
  readonly note?: string;
  /**
   * The errors of a type checker that its block has now, where the step is an obligation and they
   * are known.
   */
  readonly errors?: readonly BlockError[];
  /**
   * The unified diff of an edit that rules propose where it is an obligation: it may contain stubs,
   * so a person decides, and the plan does not write it.
   */
  readonly proposal?: string;
  /** Set where it is an obligation only because the model failed: a later run requests it again. */
  readonly modelFailed?: true;
  /** Set where a person rejected its rewrite: no rule and no model carries it out again. */
  readonly isRejected?: true;
}

/** An error that a type checker reports in a block. Plain data. */
export interface BlockError extends CheckerMessage {
  /** From 1. */
  readonly line: number;
  /** Where the name at its place is a variable of the file: the line that declares it, from 1. */
  readonly declaredLine?: number;
}

/**
 * The steps of a plan with their causes. Immutable.
 *
 * Invariant: the graph has no cycle, because only a pending step gets further causes, and no
 * pending step is a cause. A block that is affected again after its step was settled gets a new
 * step. Source: the plan graph of CodePlan (Bairi et al. 2024, section 2.1 and Algorithm 1).
 */
export class PlanGraph {
  static readonly empty = new PlanGraph([]);

  /** The steps by id, from 1. */
  readonly steps: readonly PlanStep[];

  private constructor(steps: readonly PlanStep[]) {
    this.steps = steps;
  }

  /** The step with this id. Throws an `InvariantError` when there is none. */
  step(id: StepId): PlanStep {
    const step = this.steps[id - 1];
    invariant(step !== undefined, `There is no step ${id} among ${this.steps.length}.`);
    return step;
  }

  /**
   * Adds a step at the end. Throws an `InvariantError` where its id is not {@link nextId}, and
   * where one of its causes is a step that is missing or pending.
   */
  withStep(step: PlanStep): PlanGraph {
    invariant(step.id === this.nextId, `The next step is ${this.nextId}, not ${step.id}.`);
    for (const cause of step.causes) this.#checkCause(step.id, cause);
    return new PlanGraph([...this.steps, step]);
  }

  /** Replaces parts of a step. Throws an `InvariantError` when there is no step with this id. */
  withChanged(id: StepId, change: Partial<Omit<PlanStep, "id" | "round">>): PlanGraph {
    const steps = [...this.steps];
    steps[id - 1] = { ...this.step(id), ...change };
    return new PlanGraph(steps);
  }

  /**
   * Adds a cause to a pending step. Throws an `InvariantError` for any other step, and where the
   * cause is a step that is missing or pending.
   */
  withCause(id: StepId, cause: StepCause): PlanGraph {
    const { causes, status } = this.step(id);
    invariant(status === "pending", `Step ${id} is ${status}: what affects it now is a new step.`);
    this.#checkCause(id, cause);
    return this.withChanged(id, { causes: [...causes, cause] });
  }

  /**
   * Makes a step pending again and removes all that its last result left: rewrite, changes, note,
   * errors, proposal and marks. Throws an `InvariantError` when there is no step with this id.
   */
  withPending(id: StepId): PlanGraph {
    const { block, instruction, causes, likelihood, round } = this.step(id);
    const steps = [...this.steps];
    steps[id - 1] = {
      ...{ id, block, causes, likelihood, round, status: "pending" },
      ...(instruction !== undefined && { instruction }),
    };
    return new PlanGraph(steps);
  }

  get nextId(): StepId {
    return this.steps.length + 1;
  }

  /**
   * The pending step of a block that is not in `begun`, which gets further causes of the block;
   * `undefined` when there is none.
   */
  pendingFor(id: BlockId, begun: ReadonlySet<StepId>): PlanStep | undefined {
    return this.steps.find((step) => step.status === "pending" && !begun.has(step.id) && blockId(step.block) === id);
  }

  /** The number of steps of a block that are done or unchanged, without the seeds' edits. */
  visitsTo(id: BlockId): number {
    return this.steps.filter((step) => wasCarriedOut(step) && blockId(step.block) === id).length;
  }

  /** The number of steps that are done or unchanged, without the seeds' edits. */
  get completedCount(): number {
    return this.steps.filter(wasCarriedOut).length;
  }

  /** Whether a person rejected a step of a block. */
  isRejected(id: BlockId): boolean {
    return this.steps.some(({ status, block }) => status === "rejected" && blockId(block) === id);
  }

  /** Whether a block has a step that is left to a person. */
  isObligation(id: BlockId): boolean {
    return this.steps.some(({ status, block }) => status === "obligation" && blockId(block) === id);
  }

  /**
   * The pending steps in the order of work. Steps with a missing module come first, such as a
   * barrel that re-exports a moved file, because importers of the barrel are correct again once it
   * is repaired. The others come by decreasing likelihood, then by id.
   */
  get pending(): readonly PlanStep[] {
    return this.steps
      .filter(({ status }) => status === "pending")
      .sort((a, b) => Number(lacksModule(b)) - Number(lacksModule(a)) || b.likelihood - a.likelihood || a.id - b.id);
  }

  /**
   * The steps on the paths from the seeds to this one, without itself; each follows those that
   * caused it. This is the step's temporal context. Throws an `InvariantError` when there is no
   * step with this id.
   */
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

/** The steps that are causes of this one. */
function causingSteps({ causes }: PlanStep): readonly StepId[] {
  return causes.flatMap((cause) => causingStep(cause) ?? []);
}

function lacksModule({ causes }: PlanStep): boolean {
  return causes.some((cause) => cause.kind === "broken" && cause.codes.some((code) => noModule.has(code)));
}

function wasCarriedOut({ status, rewrite }: PlanStep): boolean {
  return (status === "done" || status === "unchanged") && rewrite?.by.kind !== "seed";
}
