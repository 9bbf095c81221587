import type { PlanEvent } from "./plan-event.ts";
import { causingStep, type PlanStep, type StepId } from "./plan-graph.ts";
import type { PlanState } from "./plan-state.ts";
import { revertWrites } from "./take-back.ts";

/** The event of a rejection, or why the step cannot be rejected. */
export type Rejection =
  | { readonly kind: "rejection"; readonly event: Extract<PlanEvent, { kind: "step-rejected" }> }
  | { readonly kind: "refused"; readonly message: string };

/**
 * Makes the event that rejects a step, reverts its rewrite, and plans its consequences again; the
 * caller appends it to the journal. A step that is missing, not done, or a change of the seeds is
 * `refused`.
 *
 * A consequence without another cause is dropped and its rewrite reverted. One with other causes
 * becomes pending again, and its rewrite is reverted too. So does a later step that changed the
 * same lines. The plan continues when it is run again.
 */
export function rejectStep(state: PlanState, id: StepId, reason?: string): Rejection {
  const step = state.graph.steps[id - 1];
  if (step === undefined) return refuse(`There is no step ${id}: the plan has ${state.graph.steps.length}.`);
  if (step.status !== "done") return refuse(`Step ${id} is ${step.status}: only a step that is done can be rejected.`);
  if (step.rewrite?.by.kind === "seed") {
    return refuse(
      `Step ${id} is your own change, which a plan does not revert. Reject a step that followed from it, or change it yourself and start a new plan.`,
    );
  }
  const gone = new Set<StepId>([id]);
  const replanned = new Set<StepId>();
  for (;;) {
    sortConsequences(state, { gone, replanned });
    const undone = new Set([...gone, ...replanned]);
    const reverted = state.graph.steps
      .filter((one) => one.status === "done" && undone.has(one.id))
      .map((one) => one.id);
    const answer = revertWrites(state.writes, reverted);
    if (answer.kind === "in-the-way") {
      replanned.add(answer.step);
      continue;
    }
    const dropped = [...gone].filter((one) => one !== id).sort((a, b) => a - b);
    const event = {
      ...({ kind: "step-rejected", id } as const),
      ...(reason !== undefined && { reason }),
      ...{ reverted, dropped, replanned: [...replanned].sort((a, b) => a - b), edit: answer.edit },
    };
    return { kind: "rejection", event };
  }
}

/**
 * Adds all consequences of the steps in both sets: to `gone` those without another cause, to
 * `replanned` the others.
 */
function sortConsequences(
  { graph }: PlanState,
  { gone, replanned }: { readonly gone: Set<StepId>; readonly replanned: Set<StepId> },
): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const step of graph.steps) {
      if (gone.has(step.id) || isOver(step)) continue;
      const lost = step.causes.filter((cause) => isIn(causingStep(cause), gone) || isIn(causingStep(cause), replanned));
      if (lost.length === 0) continue;
      if (lost.length === step.causes.length) {
        replanned.delete(step.id);
        gone.add(step.id);
      } else if (step.status === "pending" || replanned.has(step.id)) continue;
      else replanned.add(step.id);
      isChanged = true;
    }
  }
}

function isOver({ status, isRejected }: PlanStep): boolean {
  return status === "dropped" || isRejected === true;
}

function isIn(id: StepId | undefined, ids: ReadonlySet<StepId>): boolean {
  return id !== undefined && ids.has(id);
}

function refuse(message: string): Rejection {
  return { kind: "refused", message };
}
