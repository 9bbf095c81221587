import { printPrompt } from "../edit/index.ts";
import type { PlanState, PlanStep, StepId } from "../plan/index.ts";
import { tryReadOpenSteps } from "../plan/node/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import type { KnownPlan } from "./known-plan.ts";
import { plansFolderOf } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import type { PlanOutside } from "./plan-teller.ts";

/** What a model would be asked about a step that is left to do, as one text for any chat. */
export interface StepPromptText {
  readonly text: string;
  /** The path of the step's file, where that changed since. */
  readonly outdated?: string;
}

/** The prompt of a step, as it was when the plan ended last. Throws a {@link CommandFailure} where there is none. */
export async function stepPromptOf(
  { root, setup, state }: KnownPlan,
  id: StepId,
  outside: PlanOutside,
): Promise<StepPromptText> {
  const { status, block } = stepOf(state, id);
  if (status !== "obligation" && status !== "pending")
    throw usage(`Step ${id} is ${status}: only what is left to do can be asked about.`);
  // What was left before a plan was gone on with is not what is left now.
  const open = state.ended && (await tryReadOpenSteps(plansFolderOf(root, outside), state.plan));
  const prompt = open?.find((one) => one.id === id)?.prompt;
  if (prompt === undefined) {
    const why = open?.some((one) => one.id === id)
      ? `There is no ${block.kind} ${block.name} in ${block.path} any more.`
      : "The plan did not come to its end. `emend plan continue` goes on with it, and asks what is left.";
    throw new CommandFailure("no-prompt", why, { exitCode: exitCodes.failed });
  }
  const left = setup.left.find(({ path }) => path === block.path);
  const isOutdated = left !== undefined && (await textAt(root, block.path)) !== left.text;
  return { text: printPrompt(prompt), ...(isOutdated && { outdated: block.path }) };
}

/** The step of this number. Throws a {@link CommandFailure} where there is none. */
export function stepOf({ graph }: PlanState, id: StepId): PlanStep {
  const step = graph.steps[id - 1];
  if (step === undefined) throw usage(`There is no step ${id}: the plan has ${graph.steps.length}.`);
  return step;
}

function usage(message: string): CommandFailure {
  return new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}
