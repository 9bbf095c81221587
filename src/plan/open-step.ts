import { blockId } from "../codebase/index.ts";
import type { ChatMessage } from "../model/index.ts";
import { Lines } from "../text/index.ts";
import type { PlanStep, StepId } from "./plan-graph.ts";
import type { PlanState } from "./plan-state.ts";
import { sayCauses } from "./say-causes.ts";
import type { BlockGraph } from "./step-question.ts";
import { stepPrompt, stepTask } from "./step-task.ts";

/** A step that is left to a person, or that nobody looked at. Plain data. */
export interface OpenStep {
  readonly id: StepId;
  readonly path: string;
  /** From 1; absent where the block is gone. */
  readonly line?: number;
  readonly kind: string;
  readonly name: string;
  readonly status: PlanStep["status"];
  /** Why it is there, and why it was left. */
  readonly reasons: readonly string[];
  /** What a model would be asked, to be pasted into any chat; absent where the block is gone. */
  readonly prompt?: readonly ChatMessage[];
}

/** What of a plan is still to be done, in the order of its steps, with all that is needed to do it elsewhere. */
export async function openSteps(
  { graph: plan, instruction }: Pick<PlanState, "graph" | "instruction">,
  graph: BlockGraph,
  textOf: (path: string) => Promise<string | undefined>,
): Promise<readonly OpenStep[]> {
  const open: OpenStep[] = [];
  for (const step of plan.steps) {
    if (step.status !== "obligation" && step.status !== "pending") continue;
    const { id, block, status, note } = step;
    const asked = step.instruction === undefined ? [] : [step.instruction];
    const reasons = [...asked, ...sayCauses(step, plan), ...(note === undefined ? [] : [note])];
    const known = graph.tryBlock(blockId(block));
    const text = known === undefined ? undefined : await textOf(block.path);
    const told = { id, path: block.path, kind: block.kind, name: block.name, status, reasons };
    if (known === undefined || text === undefined) {
      open.push(told);
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
    const line = Lines.of(text).positionAt(known.nameRange?.start ?? known.own.start).line + 1;
    open.push({ ...told, line, prompt: stepPrompt(await stepTask(question), text) });
  }
  return open;
}
