import { blockId } from "../analysis/index.ts";
import type { ChatMessage } from "../model/index.ts";
import { Lines } from "../text/index.ts";
import { describeCauses, describeErrors } from "./describe-causes.ts";
import type { PlanStep, StepId } from "./plan-graph.ts";
import type { BlockGraph } from "./plan-parts.ts";
import type { PlanState } from "./plan-state.ts";
import { stepPrompt, stepTask } from "./step-task.ts";

/** A step that is left to a person or that is still pending. Plain data. */
export interface OpenStep {
  readonly id: StepId;
  readonly path: string;
  /** From 1; absent when the block is gone. */
  readonly line?: number;
  readonly kind: string;
  readonly name: string;
  readonly status: PlanStep["status"];
  /** Why the step exists and why it is open. */
  readonly reasons: readonly string[];
  /**
   * The errors that a type checker reports in the block, a sentence each; absent if there are none.
   */
  readonly errors?: readonly string[];
  /** See `PlanStep.proposal`. */
  readonly proposal?: string;
  /** The prompt for a model, which can be pasted into any chat; absent when the block is gone. */
  readonly prompt?: readonly ChatMessage[];
}

/**
 * The open steps of a plan, in order, with everything that is needed to do them elsewhere. Rejects
 * as {@link stepTask} and `textOf` do. Lines count from 1; a step whose block is gone has neither a
 * line nor a prompt.
 */
export async function openSteps(
  { graph: plan, instruction }: Pick<PlanState, "graph" | "instruction">,
  graph: BlockGraph,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<readonly OpenStep[]> {
  const open: OpenStep[] = [];
  for (const step of plan.steps) {
    if (step.status !== "obligation" && step.status !== "pending") continue;
    const { id, block, status, note, proposal } = step;
    const instructions = step.instruction === undefined ? [] : [step.instruction];
    const reasons = [...instructions, ...describeCauses(step, plan), ...(note === undefined ? [] : [note])];
    const known = graph.tryBlock(blockId(block));
    const text = known === undefined ? undefined : await textOf(block.path);
    const errors = describeErrors(step);
    const shared = {
      ...{ id, path: block.path, kind: block.kind, name: block.name, status, reasons },
      ...(errors.length > 0 && { errors }),
      ...(proposal !== undefined && { proposal }),
    };
    if (known === undefined || text === undefined) {
      open.push(shared);
      continue;
    }
    const question = {
      step,
      block: known,
      text,
      plan,
      graph,
      textOf,
      ...(instruction !== undefined && { instruction }),
    };
    const line = Lines.of(text).positionAt(known.nameRange?.start ?? known.ownRange.start).line + 1;
    open.push({ ...shared, line, prompt: stepPrompt(await stepTask(question), text) });
  }
  return open;
}
