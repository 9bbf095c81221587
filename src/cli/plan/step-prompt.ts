import { printPrompt } from "../../edit/index.ts";
import type { PlanState, PlanStep, StepId } from "../../plan/index.ts";
import { tryReadOpenSteps } from "../../plan/node/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { badUsage, CommandFailure } from "../terminal/failure.ts";
import type { PlanOutside } from "./plan-reporter.ts";
import { plansFolderOf } from "./plan-run.ts";
import { textAt } from "./plan-seeds.ts";
import type { KnownPlan } from "./stored-plan.ts";

/** The prompt of a step that is left to do, as one text for any chat. */
export interface StepPromptText {
  readonly text: string;
  /** The path of the step's file, where that has changed since. */
  readonly outdated?: string;
}

/**
 * The prompt of a step from when the plan ended last. Throws a {@link CommandFailure} where there
 * is none. Rejects as {@link tryReadOpenSteps} does where the stored steps cannot be read.
 */
export async function stepPromptOf(
  { root, setup, state }: KnownPlan,
  id: StepId,
  outside: PlanOutside,
): Promise<StepPromptText> {
  const { status, block } = stepOf(state, id);
  if (status !== "obligation" && status !== "pending")
    throw badUsage(`Step ${id} is ${status}: only steps that are left to do have a prompt.`);
  // Steps that were left to do before the plan was continued do not count.
  const open = state.ended && (await tryReadOpenSteps(plansFolderOf(root, outside), state.plan));
  const prompt = open?.find((one) => one.id === id)?.prompt;
  if (prompt === undefined) {
    const why = open?.some((one) => one.id === id)
      ? `There is no ${block.kind} ${block.name} in ${block.path} any more.`
      : "The plan has not ended. `emend plan continue` continues it.";
    throw new CommandFailure("no-prompt", why, { exitCode: exitCodes.failed });
  }
  const left = setup.left.find(({ path }) => path === block.path);
  const isOutdated = left !== undefined && (await textAt(root, block.path)) !== left.text;
  return { text: printPrompt(prompt), ...(isOutdated && { outdated: block.path }) };
}

/** The step of this number, from 1. Throws a {@link CommandFailure} where there is none. */
export function stepOf({ graph }: PlanState, id: StepId): PlanStep {
  const step = graph.steps[id - 1];
  if (step === undefined) throw badUsage(`There is no step ${id}: the plan has ${graph.steps.length}.`);
  return step;
}
